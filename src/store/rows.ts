import { recorded } from '../lib/json.ts';
import type { Budget, BudgetLimits } from '../model/budget.ts';
import type { Entry, EntryKind, EntryState } from '../model/entry.ts';
import type { Failure } from '../model/failure.ts';
import type { Holder } from '../model/holder.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Run, RunState } from '../model/run.ts';
import type { Session, SessionStatus } from '../model/session.ts';
import { decode } from './codec.ts';
import type { Database, Row } from './database.ts';

// Rows were written by this program, so their shape is trusted; what a person or an agent wrote never comes this way.

/** Without the input, which can be large and which only a driver needs. */
export const runColumns = `id, workflow, state, reason, outcome, value, failure, epoch, change, cancelled, root,
  parent_run, parent_key, depth, trace, concurrency, started_at, ended_at`;

export function runOf(db: Database, row: Row): Run {
  const parent = textOrNull(row, 'parent_run');
  return {
    id: text(row, 'id'),
    workflow: text(row, 'workflow'),
    state: runStateOf(db, row),
    epoch: number(row, 'epoch'),
    change: number(row, 'change'),
    cancelled: number(row, 'cancelled') === 1,
    rootId: text(row, 'root'),
    parent: parent === null ? null : { runId: parent, key: text(row, 'parent_key') },
    depth: number(row, 'depth'),
    traceId: text(row, 'trace'),
    concurrency: number(row, 'concurrency'),
    startedAt: number(row, 'started_at'),
    endedAt: numberOrNull(row, 'ended_at'),
  };
}

export function runStateOf(db: Database, row: Row): RunState {
  switch (recorded<RunState['at']>(row['state'])) {
    case 'running':
      return { at: 'running' };
    case 'halting':
      return { at: 'halting', reason: text(row, 'reason') };
    case 'halted':
      return { at: 'halted', reason: text(row, 'reason') };
    case 'ended':
      return {
        at: 'ended',
        outcome: recorded<Outcome>(row['outcome']),
        value: decode(db, textOrNull(row, 'value')),
        failure: recorded<Failure | null>(decode(db, textOrNull(row, 'failure'))),
      };
  }
}

export function entryOf(db: Database, row: Row): Entry {
  return {
    key: text(row, 'key'),
    kind: recorded<EntryKind>(row['kind']),
    attempt: number(row, 'attempt'),
    state: entryStateOf(db, row),
    spec: decode(db, textOrNull(row, 'spec')),
    sessionId: textOrNull(row, 'session'),
    change: number(row, 'change'),
    priority: number(row, 'priority'),
    dueAt: numberOrNull(row, 'due'),
    openedAt: number(row, 'opened_at'),
    endedAt: numberOrNull(row, 'ended_at'),
  };
}

function entryStateOf(db: Database, row: Row): EntryState {
  const at = recorded<EntryState['at']>(row['state']);
  switch (at) {
    case 'open':
    case 'launched':
    case 'lost':
    case 'dropped':
    case 'reopened':
      return { at };
    case 'retrying':
    case 'failed':
      return { at, failure: recorded<Failure>(decode(db, text(row, 'body'))) };
    case 'done':
      return { at, outcome: recorded<Outcome>(row['outcome']), value: decode(db, textOrNull(row, 'body')) };
  }
}

export function budgetOfRow(row: Row): Budget {
  return {
    limits: recorded<BudgetLimits>(JSON.parse(text(row, 'limits'))),
    spent: {
      launches: number(row, 'launches'),
      tokens: number(row, 'tokens'),
      costUsd: number(row, 'cost'),
      unpriced: number(row, 'unpriced'),
    },
    reserved: { tokens: number(row, 'reserved_tokens'), costUsd: number(row, 'reserved_cost') },
    startedAt: number(row, 'started_at'),
  };
}

export function holderOf(row: Row): Holder {
  return {
    id: text(row, 'id'),
    host: text(row, 'host'),
    pid: number(row, 'pid'),
    startTime: text(row, 'start_time'),
    bootId: text(row, 'boot_id'),
  };
}

export function sessionOf(row: Row): Session {
  const [inputTokens, outputTokens, costUsd] = ['input_tokens', 'output_tokens', 'cost_usd'].map((name) =>
    numberOrNull(row, name),
  );
  const endedAt = numberOrNull(row, 'ended_at');
  return {
    id: text(row, 'id'),
    runId: text(row, 'run'),
    key: text(row, 'key'),
    attempt: number(row, 'attempt'),
    agent: text(row, 'agent'),
    driver: text(row, 'driver'),
    tier: text(row, 'tier'),
    status: recorded<SessionStatus>(row['status']),
    depth: number(row, 'depth'),
    turn: number(row, 'turn'),
    continues: textOrNull(row, 'continues'),
    createdAt: number(row, 'created_at'),
    endedAt,
    exitCode: numberOrNull(row, 'exit_code'),
    outcome: recorded<Outcome | null>(row['outcome']),
    usage:
      endedAt === null
        ? null
        : { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null, costUsd: costUsd ?? null },
  };
}

export function text(row: Row, name: string): string {
  return String(row[name]);
}

export function textOrNull(row: Row, name: string): string | null {
  const value = row[name];
  return value === null || value === undefined ? null : String(value);
}

export function number(row: Row, name: string): number {
  return Number(row[name]);
}

export function numberOrNull(row: Row, name: string): number | null {
  const value = row[name];
  return value === null || value === undefined ? null : Number(value);
}
