import { recorded } from '../lib/json.ts';
import type { Budget, BudgetLimits } from '../model/budget.ts';
import type { Holder } from '../model/holder.ts';
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
    workMs: number(row, 'work_ms'),
    workSince: numberOrNull(row, 'work_since'),
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
