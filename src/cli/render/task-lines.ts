import { oneLine, terminalText } from '../../lib/terminal-text.ts';
import type { ListedTask } from '../../app/plans/agent-led/list-tasks.ts';
import { fileActions, type PlanTask } from '../../model/plan/plan-task.ts';
import type { ShownTask } from '../../app/plans/agent-led/task-json.ts';
import { widenedPaths } from '../../model/plan/task-row.ts';
import { runsCommand } from '../../model/plan/validate-criteria.ts';
import type { CheckedCriterion, TaskState, Verification } from '../../model/plan/task-state.ts';
import { alignRows, wrap } from './width.ts';

/** One task with everything that is known of it. */
export function taskLines(shown: ShownTask): readonly string[] {
  const {
    plan,
    row: { task, state },
    needs,
    parked,
    edited,
  } = shown;
  return [
    `${task.id} ${oneLine(task.name)} · ${parked === null ? state.at : 'parked'}`,
    ...(needs.length === 0 ? [] : [`  needs    ${needs.join(', ')}`]),
    ...fileLines(task, Number.POSITIVE_INFINITY),
    ...widenedPaths({ task, state }).map((path) => `  widened  ${oneLine(path)}`),
    ...commandLines(task, Number.POSITIVE_INFINITY),
    ...(parked === null ? stateLines(state) : [`  parked   ${oneLine(parked)}`]),
    ...(edited ? [`  edited   in its file; how to load the edit: tutti plan status --plan ${plan}`] : []),
  ];
}

/** The lines of `tutti task list`. */
export function taskListLines(tasks: readonly ListedTask[]): readonly string[] {
  return alignRows(
    tasks.map(({ node: { id, name }, status, reason }) => {
      const because = reason === null ? '' : `  (${oneLine(reason)})`;
      return [id, status.padEnd(7), `${oneLine(name)}${because}`];
    }),
  );
}

/** What a person agrees to: the files a task may change, and the commands that Tutti runs to judge it. */
export function agreedLines(
  { id, name, ...task }: PlanTask,
  columns: number,
  without: readonly string[] = [],
): readonly string[] {
  return [
    ...wrap(oneLine(`${id} ${name}`), columns, 0),
    ...fileLines(task, columns),
    ...commandLines(task, columns, without),
  ];
}

function fileLines({ files }: Pick<PlanTask, 'files'>, columns: number): readonly string[] {
  return fileActions.flatMap((action) => {
    const paths = files.filter((file) => file.action === action).map(({ path }) => oneLine(path, 1000));
    return paths.length === 0 ? [] : labelled(action, [paths.join(', ')], columns);
  });
}

/** Each command whole, line by line: nothing that will run may be hidden by the width of a screen. */
function commandLines(
  { acceptance_criteria: criteria }: Pick<PlanTask, 'acceptance_criteria'>,
  columns: number,
  without: readonly string[] = [],
): readonly string[] {
  return criteria.flatMap(({ verification }) => {
    const lines = terminalText(verification).trim().split('\n');
    const leftOut = without.find((command) => runsCommand(verification, command));
    const note = `(not judged: a person chose to continue without ${oneLine(leftOut ?? '', 200)})`;
    return labelled('accept', leftOut === undefined ? lines : [...lines, note], columns);
  });
}

const labelWidth = 11;

function labelled(label: string, texts: readonly string[], columns: number): readonly string[] {
  const [first = '', ...rest] = texts.flatMap((text) => wrap(text, columns, labelWidth));
  return [`  ${label.padEnd(labelWidth - 2)}${first.slice(labelWidth)}`, ...rest];
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
