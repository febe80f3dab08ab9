import { oneLine, terminalText } from '../../lib/terminal-text.ts';
import { type TaskRow, widenedPaths } from '../../model/plan/task-row.ts';
import type { CheckedCriterion, TaskState, Verification } from '../../model/plan/task-state.ts';

/** One task with everything that is known of it. */
export function taskLines({ task, state }: TaskRow, needs: readonly string[]): readonly string[] {
  return [
    `${task.id} ${oneLine(task.name)} · ${state.at}`,
    ...(needs.length === 0 ? [] : [`  needs    ${needs.join(', ')}`]),
    ...task.files.map(({ path, action }) => `  ${action.padEnd(7)}  ${oneLine(path)}`),
    ...widenedPaths({ task, state }).map((path) => `  widened  ${oneLine(path)}`),
    ...task.acceptance_criteria.map(({ verification }) => `  accept   ${oneLine(verification)}`),
    ...stateLines(state),
  ];
}

function stateLines(state: TaskState): readonly string[] {
  switch (state.at) {
    case 'pending':
      return [];
    case 'running':
      return [`  at work  ${oneLine(state.by)}, attempt ${state.attempt}`];
    case 'done':
      return verificationLines(state.verification);
    case 'failed':
      return [
        `  failed   ${state.error.category}: ${oneLine(state.error.message)}`,
        ...(state.rescue === null ? [] : [`  rescue   ${state.rescue}`]),
      ];
    case 'skipped':
      return [`  skipped  ${oneLine(state.reason)}`];
  }
}

/** The whole evidence of what failed; of what passed its first line. */
export function verificationLines({ criteria }: Verification): readonly string[] {
  return criteria.flatMap(criterionLines);
}

function criterionLines({ name, status, evidence }: CheckedCriterion): readonly string[] {
  const [first = '', ...rest] = terminalText(evidence).split('\n');
  const head = `  ${status}  ${oneLine(name)}`;
  if (status === 'PASS') return [head];
  return [head, ...[first, ...rest].map((line) => `        ${line}`)];
}
