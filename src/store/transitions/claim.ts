import type { Entry } from '../../model/entry.ts';
import type { Holder } from '../../model/holder.ts';
import { mayTakeOver, type LeaseFacts } from '../../model/lease.ts';
import type { Claim, Fence, RunImage } from '../../model/ports/store.ts';
import { isOver, type Run } from '../../model/run.ts';
import { decode } from '../codec.ts';
import { entryColumnsWith, entryOf } from '../entry-columns.ts';
import { holderOf, number, text, textOrNull } from '../rows.ts';
import { findRun, ownRun, type Tx } from './tables.ts';

export function claim(tx: Tx, runId: string, facts: LeaseFacts, leaseMs: number): Claim {
  const run = findRun(tx, runId);
  if (run === null) return { at: 'unknown' };
  if (isOver(run.state)) return { at: 'over', run };
  const other = otherHolder(tx, runId, facts);
  if (other !== null) return { at: 'held', by: other };
  renew(tx, facts.me, facts.monotonic + leaseMs);
  forgetLapsed(tx, facts);
  const input = tx.db.get('select input from runs where id = ?', runId);
  tx.db.run('update runs set epoch = epoch + 1, holder = ?, parked = null where id = ?', facts.me.id, runId);
  return {
    at: 'claimed',
    image: {
      ...imageOf(tx, { ...run, epoch: run.epoch + 1 }),
      input: decode(tx.db, textOrNull(input ?? {}, 'input')),
    },
  };
}

/** Another process that lives and holds the run; null: the caller may take it. */
export function otherHolder({ db }: Tx, runId: string, facts: LeaseFacts): Holder | null {
  const row = db.get('select h.* from runs r join holders h on h.id = r.holder where r.id = ?', runId);
  if (row === undefined) return null;
  const lease = { holder: holderOf(row), until: number(row, 'until') };
  return mayTakeOver(lease, facts) ? null : lease.holder;
}

export function renew({ db }: Tx, holder: Holder, until: number): void {
  db.run(
    'insert or replace into holders(id, host, pid, start_time, boot_id, until) values(?, ?, ?, ?, ?, ?)',
    holder.id,
    holder.host,
    holder.pid,
    holder.startTime,
    holder.bootId,
    Math.round(until),
  );
}

/** Rows of processes that hold nothing and have not been heard of: each command that advances a run leaves one. */
function forgetLapsed({ db }: Tx, { me, monotonic }: LeaseFacts): void {
  db.run(
    `delete from holders where id not in (?, 'conductor') and (until < ? or boot_id <> ?)
       and not exists (select 1 from runs where runs.holder = holders.id)`,
    me.id,
    Math.round(monotonic),
    me.bootId,
  );
}

/** Gives the claim up although work is under way: never parked, so whoever looks for runs to advance finds it. */
export function release(tx: Tx, fence: Fence): void {
  ownRun(tx, fence);
  tx.db.run('update runs set holder = null where id = ?', fence.runId);
}

/** Releases the claim, unless something came in that the holder has not seen. */
export function park(tx: Tx, fence: Fence, seen: number): boolean {
  const run = ownRun(tx, fence);
  if (run.change !== seen) return false;
  tx.db.run('update runs set parked = change, holder = null where id = ?', fence.runId);
  return true;
}

/** The specs of ended entries can be large and stay in the database, except questions: prompts quote them with their answers. */
function imageOf({ db }: Tx, run: Run): Omit<RunImage, 'input'> {
  const entries = db.lists(
    `select ${entryColumnsWith({ spec: `case when e.state in ('open', 'launched') or e.kind = 'ask' then e.spec end` })}
     from entries e where e.run = ?`,
    run.id,
  );
  const strays = db.lists(
    `select ${entryColumnsWith({ attempt: 'l.attempt', session: 's.id' })}
     from launches l join entries e on e.run = l.run and e.key = l.key
     left join sessions s on s.run = l.run and s.key = l.key and s.attempt = l.attempt
     where l.run = ? and l.attempt > 0 and (e.state <> 'launched' or e.attempt <> l.attempt)`,
    run.id,
  );
  return {
    run,
    entries: byKey(entries.map((columns) => entryOf(db, columns))),
    strays: strays.map((columns) => entryOf(db, columns)),
    stoppedChildren: db
      .all(`select id from runs where parent_run = ? and cancelled = 1 and state <> 'ended'`, run.id)
      .map((row) => text(row, 'id')),
  };
}

function byKey(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const map = new Map<string, Entry>();
  for (const entry of entries) map.set(entry.key, entry);
  return map;
}
