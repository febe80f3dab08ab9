import { mayTakeOver, type LeaseFacts } from '../../model/lease.ts';
import type { Held } from '../../model/ports/store.ts';
import { holderOf, number } from '../rows.ts';
import type { Tx } from './tables.ts';

const name = 'conductor';

/** One conductor per project; its lease is renewed like any other. */
export function takeConductor(
  { db }: Tx,
  facts: LeaseFacts,
  leaseMs: number,
): { readonly at: 'taken' } | Held {
  const row = db.get('select * from holders where id = ?', name);
  if (row !== undefined) {
    const holder = holderOf(row);
    const mine = holder.pid === facts.me.pid && holder.startTime === facts.me.startTime;
    if (!mine && !mayTakeOver({ holder, until: number(row, 'until') }, facts))
      return { at: 'held', by: holder };
  }
  const { host, pid, startTime, bootId } = facts.me;
  db.run(
    'insert or replace into holders(id, host, pid, start_time, boot_id, until) values(?, ?, ?, ?, ?, ?)',
    name,
    host,
    pid,
    startTime,
    bootId,
    Math.round(facts.monotonic + leaseMs),
  );
  return { at: 'taken' };
}

export function leaveConductor({ db }: Tx, pid: number): void {
  db.run('delete from holders where id = ? and pid = ?', name, pid);
}
