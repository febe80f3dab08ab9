import { recorded } from '../lib/json.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Session, SessionStatus } from '../model/session.ts';
import type { SessionHost, Tier } from '../model/turn.ts';
import type { Usage } from '../model/usage.ts';
import type { Columns } from './database.ts';

/** In the order in which `sessionOf` takes them: sessions are listed by the thousand. */
const names = [
  'id',
  'run',
  'key',
  'attempt',
  'agent',
  'driver',
  'tier',
  'status',
  'depth',
  'turn',
  'continues',
  'host',
  'parent',
  'requester',
  'tags',
  'created_at',
  'begun_at',
  'ended_at',
  'exit_code',
  'outcome',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'archived_at',
  'pruned_at',
  'model',
  'priced_as_of',
  'cached_input_tokens',
  'lost',
] as const;

export const sessionColumns = names.join(', ');
export const sessionColumnCount = names.length;

/** The same where other tables stand beside `sessions s`. */
export const qualifiedSessionColumns = names.map((name) => `s.${name}`).join(', ');

type SessionColumns = readonly [
  id: string,
  runId: string,
  key: string,
  attempt: number,
  agent: string,
  driver: string,
  tier: Tier,
  status: SessionStatus,
  depth: number,
  turn: number,
  continues: string | null,
  host: SessionHost,
  parent: string | null,
  requester: string,
  tags: string,
  createdAt: number,
  startedAt: number | null,
  endedAt: number | null,
  exitCode: number | null,
  outcome: Outcome | null,
  inputTokens: number | null,
  outputTokens: number | null,
  costUsd: number | null,
  archivedAt: number | null,
  prunedAt: number | null,
  model: string | null,
  pricedAsOf: string | null,
  cachedInputTokens: number | null,
  lost: 0 | 1,
];

export function sessionOf(columns: Columns): Session {
  const row = recorded<SessionColumns>(columns);
  const [id, runId, key, attempt, agent, driver, tier, status, depth, turn, continues, host, parent] = row;
  const endedAt = row[17];
  return {
    id,
    runId,
    key,
    attempt,
    agent,
    driver,
    tier,
    status,
    depth,
    turn,
    continues,
    host,
    parent,
    requester: row[13],
    tags: tagsOf(row[14]),
    createdAt: row[15],
    startedAt: row[16],
    endedAt,
    exitCode: row[18],
    outcome: row[19],
    usage: endedAt === null ? null : usageOf(row),
    archivedAt: row[23],
    prunedAt: row[24],
    model: row[25],
    lost: row[28] === 1,
  };
}

function usageOf(row: SessionColumns): Usage {
  const [asOf, cached] = [row[26], row[27]];
  const told = { inputTokens: row[20], outputTokens: row[21], costUsd: row[22] };
  if (asOf === null && cached === null) return told;
  return {
    ...told,
    ...(cached === null ? {} : { cachedInputTokens: cached }),
    ...(asOf === null ? {} : { pricedAsOf: asOf }),
  };
}

const noTags: readonly string[] = [];
/** Sessions of a list mostly have the same tags, or none: what was read for one is right for the next. */
let last: { readonly text: string; readonly tags: readonly string[] } = { text: '[]', tags: noTags };

function tagsOf(text: string): readonly string[] {
  if (text === '[]') return noTags;
  if (text !== last.text) last = { text, tags: recorded<readonly string[]>(JSON.parse(text)) };
  return last.tags;
}
