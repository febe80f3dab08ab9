import { recorded } from '../lib/json.ts';
import type { Event, FeedEvent } from '../model/event.ts';
import type { Row } from './database.ts';
import { number, text } from './rows.ts';

/** The condition that an event is the audit's; ranges, because `like` would look at every letter of every row. */
export const isAuditEvent = `(type >= 'session.' and type < 'session/' or type >= 'decision.' and type < 'decision/')`;

export function feedEventOf(row: Row): FeedEvent {
  const body = recorded<object>(JSON.parse(text(row, 'body')));
  return {
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    runId: text(row, 'run'),
    event: recorded<Event>({ type: row['type'], ...body }),
  };
}
