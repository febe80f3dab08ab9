import { recorded } from '../lib/json.ts';
import type { Failure } from '../model/failure.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Run, RunState } from '../model/run.ts';
import { decode } from './codec.ts';
import type { Columns, Database } from './database.ts';
import { text } from './rows.ts';

/** A run without its input, which can be large and which only a holder needs. */
export const runColumns = runColumnsWith('value');

/** For lists of runs: values can be large too, and a list shows none. */
export const runColumnsForLists = runColumnsWith('null');

/** In the order in which `runOf` takes them. */
function runColumnsWith(value: 'value' | 'null'): string {
  return `id, workflow, state, reason, outcome, ${value}, failure, epoch, change, cancelled, stops, stopped_by, root,
    parent_run, parent_key, depth, trace, concurrency, started_at, ended_at`;
}

type RunColumns = readonly [
  id: string,
  workflow: string,
  at: RunState['at'],
  reason: string | null,
  outcome: Outcome,
  value: string | null,
  failure: string | null,
  epoch: number,
  change: number,
  cancelled: number,
  stops: number,
  stoppedBy: string | null,
  rootId: string,
  parentRun: string | null,
  parentKey: string | null,
  depth: number,
  traceId: string,
  concurrency: number,
  startedAt: number,
  endedAt: number | null,
];

export function runOf(db: Database, columns: Columns): Run {
  const [
    id,
    workflow,
    at,
    reason,
    outcome,
    value,
    failure,
    epoch,
    change,
    cancelled,
    stops,
    stoppedBy,
    rootId,
    parentRun,
    parentKey,
    depth,
    traceId,
    concurrency,
    startedAt,
    endedAt,
  ] = recorded<RunColumns>(columns);
  return {
    id,
    workflow,
    state: stateOf(db, at, reason ?? '', outcome, value, failure),
    epoch,
    change,
    cancelled: cancelled === 1,
    stops,
    stoppedBy,
    rootId,
    parent: parentRun === null ? null : { runId: parentRun, key: parentKey ?? '' },
    depth,
    traceId,
    concurrency,
    startedAt,
    endedAt,
  };
}

function stateOf(
  db: Database,
  at: RunState['at'],
  reason: string,
  outcome: Outcome,
  value: string | null,
  failure: string | null,
): RunState {
  switch (at) {
    case 'running':
      return { at };
    case 'halting':
    case 'halted':
      return { at, reason };
    case 'ended':
      return {
        at,
        outcome,
        value: decode(db, value),
        failure: recorded<Failure | null>(decode(db, failure)),
      };
  }
}

/** Runs that some process should advance; see the port. */
export function wakeable(db: Database, rootId: string | null): readonly string[] {
  const rows = db.all(
    `select r.id from runs r where r.state in ('running', 'halting') and (? is null or r.root = ?) and (
       r.parked is null or r.parked <> r.change
       or exists (select 1 from entries e where e.run = r.id and e.kind = 'sleep' and e.state = 'open'))
     order by r.started_at`,
    rootId,
    rootId,
  );
  return rows.map((row) => text(row, 'id'));
}
