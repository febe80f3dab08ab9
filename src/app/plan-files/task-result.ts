import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { TaskResult } from '../../model/plan/bundle.ts';
import type { TaskRow } from '../../model/plan/task-row.ts';
import type { ProjectPaths } from '../project.ts';
import { planPathsOf } from './plan-paths.ts';

interface ResultPlaces {
  readonly paths: Pick<ProjectPaths, 'state'>;
  readonly redactor: Redactor;
}

/** What is known about the end of a task beyond its record: what the agent said, and what was seen of work that failed. */
export type TaskAccount = Partial<Pick<TaskResult, 'files' | 'verification' | 'notes'>>;

/** `bundles/T001-result.json` of a task that is over; null: it is not. A view of what is recorded. */
function resultOf({ task, state }: TaskRow, { notes = '', ...seen }: TaskAccount): TaskResult | null {
  if (state.at !== 'done' && state.at !== 'failed') return null;
  const { since, endedAt } = state;
  const rescue = state.at === 'failed' ? state.rescue : null;
  const aside = rescue === null ? '' : `The work was put aside: ${rescue}`;
  return {
    version: '1.0',
    task_id: task.id,
    name: task.name,
    status: state.at === 'done' ? 'success' : 'failed',
    started_at: new Date(since).toISOString(),
    completed_at: new Date(endedAt).toISOString(),
    files: state.at === 'done' ? state.files : { created: [], modified: [] },
    verification: state.at === 'done' ? state.verification : { verdict: 'FAIL', criteria: [] },
    error: state.at === 'failed' ? state.error : null,
    ...seen,
    notes: [notes, aside].filter((text) => text !== '').join('\n'),
  };
}

export function writeResult(
  { paths, redactor }: ResultPlaces,
  plan: string,
  row: TaskRow,
  account: TaskAccount = {},
): void {
  const result = resultOf(row, account);
  if (result === null) return;
  replaceFile(
    planPathsOf(paths, plan).result(row.task.id),
    redactor.text(`${JSON.stringify(result, null, 2)}\n`),
  );
}

/** For a result that was lost. One that is there may tell more: what the agent said is nowhere else. */
export function ensureResult(tutti: ResultPlaces, plan: string, row: TaskRow): void {
  const path = planPathsOf(tutti.paths, plan).result(row.task.id);
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  writeResult(tutti, plan, row);
}
