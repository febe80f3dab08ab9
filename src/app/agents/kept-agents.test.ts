import { expect, test } from 'vitest';
import type { Entry, EntryState } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { keepAgents } from './kept-agents.ts';

const agent = (driver: string): AgentSnapshot => ({
  name: 'coder',
  systemPrompt: '',
  driver,
  tier: 'medium',
  result: 'required',
});
const [known, current] = [{ coder: agent('codex') }, { coder: agent('claude') }];

async function keptAfter(state: EntryState | null, refresh = false) {
  const entries = state === null ? [] : [{ key: 'a@1', kind: 'session', state } as Entry];
  return keepAgents({ entries: async () => entries }, 'r', { current, known, refresh });
}

test('a run without a successful turn takes the agents of today', async () => {
  const failed: EntryState = { at: 'failed', failure: failure('sign-in', 'no key') };
  for (const state of [null, failed, { at: 'lost' } as const]) {
    expect(await keptAfter(state)).toEqual({ agents: current, note: null });
  }
});

test('a run with a successful or a living turn keeps its agents and says that the driver changed', async () => {
  const done: EntryState = { at: 'done', outcome: 'SUCCESS', value: null };
  for (const state of [done, { at: 'launched' } as const]) {
    expect(await keptAfter(state)).toEqual({
      agents: known,
      note: 'the driver changed; use --refresh to apply it',
    });
  }
  expect(await keptAfter(done, true)).toEqual({ agents: current, note: null });
});

test('an agent that left the work is not kept, and an unchanged driver is not mentioned', async () => {
  const done: EntryState = { at: 'done', outcome: 'SUCCESS', value: null };
  const entries = [{ key: 'a@1', kind: 'session', state: done } as Entry];
  const more = { ...current, gone: agent('codex') };
  expect(
    await keepAgents({ entries: async () => entries }, 'r', { current, known: more, refresh: false }),
  ).toEqual({
    agents: current,
    note: null,
  });
});
