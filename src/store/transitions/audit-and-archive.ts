import type { FeedEvent, AuditEvent } from '../../model/event.ts';
import { feedEventOf, isAuditEvent } from '../feed.ts';
import { addEvent, type Tx } from './tables.ts';

const audit = 'audit';
/** Its run is over, and so is the run's feed. */
const ofNoRun = '';

/** What the audit has not seen yet. Whoever is given an event is the only one who ever is. */
export function takeAudit({ db }: Tx, limit: number): readonly FeedEvent[] {
  const rows = db.all(
    `select * from events where seq > coalesce((select seq from cursors where name = ?), 0) and ${isAuditEvent}
     order by seq limit ?`,
    audit,
    limit,
  );
  // Nothing left between: the next look begins where the feed ends.
  const seen = rows.length === limit ? Number(rows.at(-1)?.['seq']) : null;
  db.run(
    `insert or replace into cursors(name, seq) select ?, coalesce(?, max(seq), 0) from events`,
    audit,
    seen,
  );
  return rows.map(feedEventOf);
}

/** All that is known, to write the audit again; whoever takes next gets what comes later. */
export function retakeAudit(tx: Tx): readonly FeedEvent[] {
  tx.db.run('delete from cursors where name = ?', audit);
  return takeAudit(tx, -1);
}

/** False: the same was told since then, of the same session and by the same one. In one transaction, so that two who look at the same time tell it once. */
export function tellOnce(tx: Tx, runId: string, event: AuditEvent, since: number): boolean {
  const session = 'session' in event ? event.session : null;
  const about = 'about' in event ? event.about : null;
  const by = 'by' in event ? event.by : null;
  const told = tx.db.get(
    `select 1 from events where run = ? and type = ? and at >= ?
       and json_extract(body, '$.session') is ? and json_extract(body, '$.about') is ?
       and json_extract(body, '$.by') is ?`,
    runId,
    event.type,
    since,
    session,
    about,
    by,
  );
  if (told !== undefined) return false;
  addEvent(tx, runId, event);
  return true;
}

/** False: it has not ended, or was archived before. */
export function markArchived(tx: Tx, id: string): boolean {
  const marked = tx.db.run(
    `update sessions set archived_at = ? where id = ? and archived_at is null
       and status in ('COMPLETED', 'FAILED', 'KILLED')`,
    tx.now,
    id,
  );
  if (marked > 0) addEvent(tx, ofNoRun, { type: 'session.archived', session: id });
  return marked > 0;
}

/** False: it is not in the archive, or was pruned before. */
export function markPruned(tx: Tx, id: string): boolean {
  const marked = tx.db.run(
    `update sessions set pruned_at = ? where id = ? and archived_at is not null and pruned_at is null`,
    tx.now,
    id,
  );
  if (marked > 0) addEvent(tx, ofNoRun, { type: 'session.pruned', session: id });
  return marked > 0;
}
