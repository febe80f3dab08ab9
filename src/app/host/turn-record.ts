import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { ProjectPaths } from '../project.ts';
import type { HostParts } from './host-parts.ts';

/** Which run this is; beside its views, where an agent in a sandbox cannot write. */
export function runRecordPath(paths: Pick<ProjectPaths, 'run'>, runId: string): string {
  return join(paths.run(runId), 'run.json');
}

/** One file for each session of the run: which turn it is. */
export function turnRecordsFolder(paths: Pick<ProjectPaths, 'run'>, runId: string): string {
  return join(paths.run(runId), 'turns');
}

/** The run's mark when its record was last written by this process. */
const written = new WeakMap<HostParts['store'], Map<string, string>>();

/** Before a turn is launched: what `tutti recover` needs to find it again without the database. */
export async function recordTurn(
  { paths, store }: HostParts,
  { runId, sessionId }: LaunchedAttempt,
): Promise<void> {
  const turn = await store.keptTurn(sessionId ?? '');
  if (turn === null) return;
  const folder = turnRecordsFolder(paths, runId);
  makePrivateFolder(folder);
  await recordRun({ paths, store }, runId);
  replaceFile(join(folder, `${sessionId ?? ''}.json`), `${JSON.stringify(turn)}\n`);
}

async function recordRun({ paths, store }: Pick<HostParts, 'paths' | 'store'>, runId: string): Promise<void> {
  const marks = written.get(store) ?? new Map<string, string>();
  written.set(store, marks);
  const mark = await store.runMark(runId);
  if (marks.get(runId) === mark) return;
  replaceFile(runRecordPath(paths, runId), `${JSON.stringify(await store.keptRun(runId))}\n`);
  marks.set(runId, mark);
}
