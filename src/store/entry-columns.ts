import { recorded } from '../lib/json.ts';
import type { Entry, EntryKind, EntryState } from '../model/entry.ts';
import type { Failure } from '../model/failure.ts';
import type { Outcome } from '../model/outcome.ts';
import { decode } from './codec.ts';
import type { RecordedTurn, SessionSpec } from '../model/turn.ts';
import type { Columns, Database } from './database.ts';
import { textOrNull } from './rows.ts';

/** In the order in which `entryOf` takes them: rows come as lists, because they are read by the thousand. */
const names = [
  'key',
  'kind',
  'attempt',
  'state',
  'outcome',
  'body',
  'spec',
  'session',
  'losses',
  'change',
  'priority',
  'due',
  'opened_at',
  'ended_at',
] as const;

/**
 * The columns of `entries e`, some of them computed otherwise. Their names are their own: before Node 22.16 rows come as
 * objects, and of two columns with one name only the last would be there.
 */
export function entryColumnsWith(instead: Partial<Record<(typeof names)[number], string>>): string {
  return names.map((name) => `${instead[name] ?? `e.${name}`} as entry_${name}`).join(', ');
}

export const entryColumns = names.join(', ');

type EntryColumns = readonly [
  key: string,
  kind: EntryKind,
  attempt: number,
  at: EntryState['at'],
  outcome: Outcome,
  body: string | null,
  spec: string | null,
  sessionId: string | null,
  losses: number,
  change: number,
  priority: number,
  dueAt: number | null,
  openedAt: number,
  endedAt: number | null,
];

export function entryOf(db: Database, columns: Columns): Entry {
  const [
    key,
    kind,
    attempt,
    at,
    outcome,
    body,
    spec,
    sessionId,
    losses,
    change,
    priority,
    dueAt,
    openedAt,
    endedAt,
  ] = recorded<EntryColumns>(columns);
  return {
    key,
    kind,
    attempt,
    state: stateOf(db, at, outcome, body),
    spec: decode(db, spec),
    losses,
    sessionId,
    change,
    priority,
    dueAt,
    openedAt,
    endedAt,
  };
}

/** What was asked of a session of this run; null if it was never opened. */
export function findSpec(db: Database, runId: string, key: string): SessionSpec | null {
  const row = db.get('select spec from entries where run = ? and key = ?', runId, key);
  return row === undefined ? null : recorded<SessionSpec | null>(decode(db, textOrNull(row, 'spec')));
}

export function findTurn(db: Database, runId: string, key: string): RecordedTurn | null {
  const spec = findSpec(db, runId, key);
  return spec === null ? null : { key, prompt: spec.prompt, continues: spec.continues };
}

function stateOf(db: Database, at: EntryState['at'], outcome: Outcome, body: string | null): EntryState {
  switch (at) {
    case 'open':
    case 'launched':
    case 'lost':
    case 'dropped':
    case 'reopened':
      return { at };
    case 'retrying':
    case 'failed':
      return { at, failure: recorded<Failure>(decode(db, body)) };
    case 'done':
      return { at, outcome, value: decode(db, body) };
  }
}
