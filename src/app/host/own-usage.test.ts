import { expect, test } from 'vitest';
import { readLog } from '../../drivers/turn-log.ts';
import { codexReader } from '../../drivers/codex/parse.ts';
import type { CodexDriver } from '../../model/codex.ts';
import type { Session } from '../../model/session.ts';
import type { Usage } from '../../model/usage.ts';
import { ownUsage } from './own-usage.ts';

const codex: CodexDriver = {
  type: 'codex',
  program: 'codex',
  sandbox: 'workspace-write',
  models: {},
  config: {},
};
const replay = { type: 'replay', cassette: 'c' } as const;

/** As Codex told it at the end of the third turn of a conversation. */
const told =
  '{"type":"turn.completed","usage":{"input_tokens":400,"cached_input_tokens":120,"cache_write_input_tokens":0,"output_tokens":80,"reasoning_output_tokens":20}}';

type Row = Pick<Session, 'driver' | 'continues' | 'usage'>;
const used = (inputTokens: number, outputTokens: number, cachedInputTokens: number): Usage => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  costUsd: 1,
});

async function usageOf(
  rows: Readonly<Record<string, Row>>,
  spec: { readonly continues: string | null; readonly conversation: string | null; readonly driver?: string },
): Promise<Usage> {
  const parts = {
    config: { drivers: { codex, replay } },
    paths: { root: '/p' },
    env: {},
    queries: { sessions: { one: async (id: string) => rows[id] ?? null } },
  };
  const reader = await ownUsage(parts, { driver: 'codex', ...spec }, codexReader('workspace-write'));
  return readLog([told], reader).usage;
}

test('a session is charged what it added to its conversation, over all that it went on from', async () => {
  const rows = {
    one: { driver: 'codex', continues: null, usage: used(200, 40, 60) },
    two: { driver: 'codex', continues: 'one', usage: used(100, 20, 30) },
  };
  const own = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 30, costUsd: null };
  expect(await usageOf(rows, { continues: 'two', conversation: 'c' })).toEqual(own);
  // One that was ended before it told anything is paid for by the next.
  const ended = { ...rows, two: { ...rows.two, usage: null } };
  expect(await usageOf(ended, { continues: 'two', conversation: 'c' })).toMatchObject({ inputTokens: 200 });
  // What another driver used was another conversation.
  const other = { ...rows, one: { ...rows.one, driver: 'replay' } };
  expect(await usageOf(other, { continues: 'two', conversation: 'c' })).toMatchObject({ inputTokens: 300 });
});

test('a conversation that begins, and a driver that tells its own, are left as they are', async () => {
  const rows = { one: { driver: 'codex', continues: null, usage: used(200, 40, 60) } };
  const whole = { inputTokens: 400, outputTokens: 80, cachedInputTokens: 120 };
  expect(await usageOf(rows, { continues: 'one', conversation: null })).toMatchObject(whole);
  expect(await usageOf(rows, { continues: 'one', conversation: 'c', driver: 'replay' })).toMatchObject(whole);
  expect(await usageOf(rows, { continues: 'one', conversation: 'c', driver: 'gone' })).toMatchObject(whole);
});

test('where nobody knows what was before, nothing is charged for certain', async () => {
  const unknown = { inputTokens: null, outputTokens: null };
  expect(await usageOf({}, { continues: 'gone', conversation: 'c' })).toMatchObject(unknown);
  const more = { one: { driver: 'codex', continues: null, usage: used(900, 90, 0) } };
  expect(await usageOf(more, { continues: 'one', conversation: 'c' })).toMatchObject(unknown);
});
