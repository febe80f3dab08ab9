import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { isObject } from '../../lib/json.ts';
import { Redactor } from '../../lib/redact.ts';
import { families, familyOf } from '../../model/family.ts';
import { isLaunchable, isWaiting } from '../../model/entry.ts';
import { stepIdOf } from '../../model/key.ts';
import type { Member } from '../../model/members.ts';
import type { Outcome } from '../../model/outcome.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';
import { realClock } from '../../runtime/clock.ts';
import { StoreUnavailable } from '../../model/ports/store-unavailable.ts';
import { SqliteQueries } from '../../store/queries.ts';
import { SqliteStore } from '../../store/sqlite-store.ts';
import { pathsOf, type ProjectPaths } from '../project.ts';
import { stateFolder, type Variables } from '../state-folder.ts';
import { flattened } from './setting-members.ts';
import { type StateOrigin, stateOrigin } from '../trust/state-mark.ts';

/** A run, or a plan that has none yet, with the commands and agents that it would start. */
export interface ForeignRun {
  readonly id: string;
  readonly workflow: string;
  /** `open`: it would continue. An outcome: it has ended, and a command can continue it. `unstarted`: a command can start it. */
  readonly state: 'open' | 'unstarted' | Outcome;
  readonly members: readonly Member[];
}

export interface SeenState {
  readonly paths: ProjectPaths;
  readonly origin: StateOrigin;
  /** Every one: also what has ended can be continued, and a step that succeeded be done again. */
  readonly runs: readonly ForeignRun[];
  /** Why its runs cannot be shown; null: they are all there. */
  readonly problem: string | null;
}

/** What the `.tutti/` of a project could continue. Its database is read from a copy, so that nothing in the folder changes. */
export async function lookAtState(project: string, env: Variables): Promise<SeenState> {
  const paths = pathsOf(project);
  const origin = stateOrigin(paths, env);
  makePrivateFolder(stateFolder(env));
  const folder = mkdtempSync(join(stateFolder(env), 'look-'));
  try {
    for (const name of ['tutti.db', 'tutti.db-wal'])
      if (existsSync(join(paths.state, name))) copyFileSync(join(paths.state, name), join(folder, name));
    const path = join(folder, 'tutti.db');
    const runs = existsSync(path) ? await foreignRuns(path) : [];
    return { paths, origin, runs, problem: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { paths, origin, runs: [], problem: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that would continue by themselves come last, where a person who is asked sees them first. */
async function foreignRuns(path: string): Promise<readonly ForeignRun[]> {
  const redactor = new Redactor([]);
  using store = new SqliteStore({ path, clock: realClock(), maxSessions: 1, isAlive, redactor });
  const queries = new SqliteQueries(store.db);
  const runs = await Promise.all(
    (await queries.runs(null)).map(
      async (run): Promise<ForeignRun> => ({
        id: run.id,
        workflow: run.workflow,
        state: run.state.at === 'ended' ? run.state.outcome : 'open',
        members: await membersOfRun(queries, run),
      }),
    ),
  );
  const started = new Set(runs.map(({ id }) => planOfRunId(id)));
  const unstarted: ForeignRun[] = [];
  for (const { name } of await queries.plans.all()) {
    if (started.has(name)) continue;
    const members = families.execute.starts({}, await queries.plans.tasks(name));
    unstarted.push({ id: name, workflow: 'plan', state: 'unstarted', members });
  }
  const ended = runs.filter(({ state }) => state !== 'open');
  return [...ended, ...unstarted, ...runs.filter(({ state }) => state === 'open')];
}

async function membersOfRun(queries: SqliteQueries, run: Run): Promise<readonly Member[]> {
  const input = await queries.input(run.id);
  const starts = isObject(input)
    ? familyOf(run).starts(input, await queries.plans.tasks(planOfRunId(run.id)))
    : [];
  // What is under way is launched as it is recorded, whatever the input says.
  const waiting = (await queries.entries(run.id)).filter(
    ({ kind, state }) => isLaunchable(kind) && isWaiting(state),
  );
  return [...starts, ...waiting.flatMap(({ key, spec }) => flattened(`recorded ${stepIdOf(key)}`, spec))];
}
