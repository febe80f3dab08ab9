import type { ForeignRun, SeenState } from '../../app/consent/foreign-state.ts';
import { cutText, visibleLine } from '../../lib/visible-text.ts';
import { counted } from '../../lib/counted.ts';
import { memberLine } from './trust-lines.ts';

/** What a `.tutti/` from elsewhere holds, one line for each run and each of its members. */
export function stateLines({ paths, origin, runs, problem }: SeenState): readonly string[] {
  const made = origin.from === 'elsewhere' ? ` (made in ${cutText(origin.made, 300, visibleLine)})` : '';
  return [
    `${cutText(paths.state, 500, visibleLine)}${made} ${holds(runs)}`,
    ...runs.flatMap((run) => [
      `  ${cutText(run.workflow, 40, visibleLine)} ${cutText(run.id, 100, visibleLine)}: ${sayState(run)}`,
      ...run.members.map(memberLine),
    ]),
    ...(problem === null ? [] : [`Its runs cannot be shown: ${cutText(problem, 500, visibleLine)}`]),
  ];
}

function holds(runs: readonly ForeignRun[]): string {
  if (runs.length === 0) return 'holds no run';
  const open = runs.filter(({ state }) => state === 'open').length;
  return `holds ${counted(runs.length, 'run')}, of which ${open} would continue and ${runs.length - open} could be continued:`;
}

function sayState({ state }: ForeignRun): string {
  if (state === 'open') return 'would continue';
  return state === 'unstarted' ? 'a plan that could be executed' : `ended with ${state}, could be continued`;
}
