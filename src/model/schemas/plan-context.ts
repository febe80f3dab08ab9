import { list, text } from './basic-shapes.ts';
import { document } from './plan-shapes.ts';

/** `inputs/context.json`: what was found out about the project before anything was planned. */
export const planContextForm = document({
  project_context: text(),
  test_commands: list(text(), 'a list of commands'),
  /** Commands that no task has to pass; absent: a file of an earlier release. */
  waived_commands: list(text(), 'a list of commands').optional(),
  preferences: text(),
});
