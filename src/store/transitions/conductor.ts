import { mayTakeOver, type LeaseFacts } from '../../model/holder.ts';
import { holderOf, number } from '../rows.ts';
import type { Tx } from './tables.ts';

const name = 'conductor';

/** One conductor per project. True: it is us from now on; the lease is renewed like any other. */
export function takeConductor({ db }: Tx, facts: LeaseFacts, leaseMs: number): boolean {
  const row = db.get('select * from holders where id = ?', name);
  if (row !== undefined) {
    const holder = holderOf(row);
    const mine = holder.pid === facts.me.pid && holder.startTime === facts.me.startTime;
    if (!mine && !mayTakeOver({ holder, until: number(row, 'until') }, facts)) return false;
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
  return true;
}

export function leaveConductor({ db }: Tx, pid: number): void {
  db.run('delete from holders where id = ? and pid = ?', name, pid);
}
