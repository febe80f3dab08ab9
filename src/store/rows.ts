import { recorded } from '../lib/json.ts';
import type { Budget, BudgetLimits } from '../model/budget.ts';
import type { Holder } from '../model/holder.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Session, SessionStatus } from '../model/session.ts';
import type { Row } from './database.ts';

// Rows were written by this program, so their shape is trusted; what a person or an agent wrote never comes this way.

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
    startedAt: numberOrNull(row, 'begun_at'),
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

function numberOrNull(row: Row, name: string): number | null {
  const value = row[name];
  return value === null || value === undefined ? null : Number(value);
}
