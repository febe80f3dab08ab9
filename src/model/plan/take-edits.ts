import type { OpenQuestion } from '../question.ts';
import { planRunId } from './task-row.ts';

/** A run that conducts a plan, and what it asks. */
export interface AskingRun {
  readonly id: string;
  /** It waits for a person. */
  readonly asks: boolean;
  /** Its question that waits for edited files to be fixed: `Q3`; absent: it asks none. */
  readonly editQuestion?: string;
}

/** `open`: the questions of the run that a person has not answered. */
export function askingRun(id: string, open: readonly OpenQuestion[]): AskingRun {
  const edit = open.find(({ question }) => question.options?.includes('edited') === true);
  return { id, asks: open.length > 0, ...(edit === undefined ? {} : { editQuestion: edit.id }) };
}

/**
 * The command that has edited task files checked, verified and shown again, for every message about them. Agents conduct the plan:
 * they load the files. Its run asks about the tasks: it is given the edited ones, or the word that it waits for. Else planning
 * continues with them.
 */
export function takeEditsCommand(plan: string, runs: readonly AskingRun[]): string {
  if (runs.length === 0) return `tutti plan load-tasks --plan ${plan}`;
  const asking = runs.find(({ id, asks }) => id === planRunId(plan) && asks);
  if (asking?.editQuestion !== undefined) return `tutti answer ${asking.editQuestion} edited`;
  return asking === undefined ? `tutti plan --plan ${plan}` : `tutti plan edit --taken --plan ${plan}`;
}
