import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { isObject } from '../../lib/json.ts';
import { Redactor } from '../../lib/redact.ts';
import { familyOf } from '../../model/family.ts';
import type { Member } from '../../model/members.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';
import { realClock } from '../../runtime/clock.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import { Queries } from '../../store/queries.ts';
import { SqliteStore } from '../../store/sqlite-store.ts';
import { pathsOf, type ProjectPaths } from '../project.ts';
import { stateFolder, type Variables } from '../state-folder.ts';
import { type StateOrigin, stateOrigin } from '../trust/state-mark.ts';

/** A run that would continue, with the commands and agents that it would start. */
interface PendingRun {
  readonly id: string;
  readonly workflow: string;
  readonly members: readonly Member[];
}

export interface SeenState {
  readonly paths: ProjectPaths;
  readonly origin: StateOrigin;
  readonly runs: readonly PendingRun[];
  /** Why its runs cannot be shown; null: they are all there. */
  readonly problem: string | null;
}

/** What the `.tutti/` of a project would continue. Its database is read from a copy, so that nothing in the folder changes. */
export function lookAtState(project: string, env: Variables): SeenState {
  const paths = pathsOf(project);
  const origin = stateOrigin(paths, env);
  makePrivateFolder(stateFolder(env));
  const folder = mkdtempSync(join(stateFolder(env), 'look-'));
  try {
    for (const name of ['tutti.db', 'tutti.db-wal'])
      if (existsSync(join(paths.state, name))) copyFileSync(join(paths.state, name), join(folder, name));
    const path = join(folder, 'tutti.db');
    const runs = existsSync(path) ? pendingRuns(path) : [];
    return { paths, origin, runs, problem: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { paths, origin, runs: [], problem: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pendingRuns(path: string): readonly PendingRun[] {
  const redactor = new Redactor([]);
  using store = new SqliteStore({ path, clock: realClock(), maxSessions: 1, isAlive, redactor });
  const queries = new Queries(store.db);
  return queries
    .runs(null)
    .filter(({ state }) => state.at !== 'ended')
    .map((run) => ({ id: run.id, workflow: run.workflow, members: membersOfRun(queries, run) }));
}

function membersOfRun(queries: Queries, run: Run): readonly Member[] {
  const input = queries.input(run.id);
  return isObject(input) ? familyOf(run).starts(input, () => queries.plans.tasks(planOfRunId(run.id))) : [];
}
