import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cautiousRules } from '../../src/model/acp.ts';
import { markOf, type PermissionRequest } from '../../src/model/permission.ts';
import { until } from '../rig/attempt-rig.ts';
import type { FakeStep } from '../rig/fake-acp-agent.ts';
import { AcpRig, type StartedTurn } from './rig.ts';

const rules = { ...cautiousRules, execute: 'ask', edit: 'ask', read: 'ask' } as const;

function requests(turn: StartedTurn): readonly PermissionRequest[] {
  return turn
    .events()
    .flatMap((event) => (event.type === 'waiting' && event.request !== undefined ? [event.request] : []));
}

async function asked(turn: StartedTurn, number: number): Promise<PermissionRequest> {
  await until(`request ${number}`, () => requests(turn).length >= number);
  const found = requests(turn)[number - 1];
  if (found === undefined) throw new Error('it was there');
  return found;
}

function answers(rig: AcpRig): readonly string[] {
  return readFileSync(rig.path('answers.txt'), 'utf8').trim().split('\n').toSorted();
}

function ask(title: string, more: object = {}): FakeStep {
  return { ask: { kind: 'execute', title, ...more } };
}

test('a request says what is wanted, on what and with what, and what may be answered', async () => {
  await using rig = new AcpRig();
  const steps = [ask('make', { input: { command: 'make all' }, path: '/elsewhere/x' })];
  const turn = rig.start({ prompts: [steps] }, { rules });
  expect(await asked(turn, 1)).toEqual({
    number: 1,
    tool: 'execute',
    target: 'make (/elsewhere/x)',
    input: '{"command":"make all"}',
    options: ['allow', 'deny', 'always'],
  });
  await turn.say('deny 1');
  expect((await turn.ended).events).toContainEqual({ type: 'answered', request: 1, answer: 'deny' });
});

test('two requests at once are answered in any order, and each once', async () => {
  await using rig = new AcpRig();
  const both = {
    asks: [
      { kind: 'execute', title: 'one' },
      { kind: 'edit', title: 'two' },
    ],
  };
  const turn = rig.start({ prompts: [[both]] }, { rules });
  await asked(turn, 2);
  await turn.say('deny 2');
  // Said again, and otherwise: neither an answer nor a message.
  await turn.say('allow 2');
  await until('it was heard', () => turn.events().some(({ type }) => type === 'answered'));
  await turn.say('allow 1');
  const end = await turn.ended;
  expect(answers(rig)).toEqual(['one: yes', 'two: no']);
  expect(end.log).toMatchObject({ asks: [], waiting: null, denials: 1 });
  expect(rig.heard().filter(({ method }) => method === 'session/prompt')).toHaveLength(1);
});

test('what is answered for always is told to the agent; what it does not offer to remember holds once', async () => {
  await using rig = new AcpRig();
  const turn = rig.start({ prompts: [[ask('a'), ask('b')]] }, { rules });
  await asked(turn, 1);
  await turn.say('always 1');
  await asked(turn, 2);
  await turn.say('never 2');
  const { events } = await turn.ended;
  expect(answers(rig)).toEqual(['a: always', 'b: no']);
  expect(events.filter(({ type }) => type === 'answered')).toEqual([
    { type: 'answered', request: 1, answer: 'always' },
    { type: 'answered', request: 2, answer: 'deny' },
  ]);
});

test('an answer to something else than what is asked permits nothing', async () => {
  await using rig = new AcpRig();
  // The agent shows a harmless request under the number that its next one will have.
  const shown = { number: 1, tool: 'read', target: 'README.md', input: '', options: ['allow'] as const };
  const forged = JSON.stringify({ type: 'waiting', why: 'x', request: shown });
  const turn = rig.start({ prompts: [[{ complain: forged }, ask('rm -rf /')]] }, { rules });
  await asked(turn, 2);
  const real = requests(turn).find(({ target }) => target === 'rm -rf /');
  expect(real?.number).toBe(1);
  await turn.say(`allow 1 ${markOf(shown)}`);
  await until('it is told', () => turn.events().some(({ type }) => type === 'problem'));
  expect(existsSync(rig.path('answers.txt'))).toBe(false);
  await turn.say(`deny 1 ${real === undefined ? '' : markOf(real)}`);
  await turn.ended;
  expect(answers(rig)).toEqual(['rm -rf /: no']);
});

test('a yes to reading a file is none to writing it; a yes to a write is not asked again by the write', async () => {
  await using rig = new AcpRig();
  const path = rig.path('a.txt');
  const write: FakeStep = { request: ['fs/write_text_file', { path, content: 'new' }] };
  const steps = [
    { ask: { kind: 'read', title: 'Read', path } },
    write,
    { ask: { kind: 'edit', title: 'Write', path } },
    write,
  ];
  const turn = rig.start({ prompts: [steps] }, { rules });
  await asked(turn, 1);
  await turn.say('allow 1');
  expect(await asked(turn, 2)).toMatchObject({ tool: 'edit', options: ['allow', 'deny'] });
  await turn.say('deny 2');
  await asked(turn, 3);
  expect(existsSync(path)).toBe(false);
  await turn.say('allow 3');
  await turn.ended;
  expect(requests(turn)).toHaveLength(3);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('whoever asks for more than anybody reads is denied the rest', async () => {
  await using rig = new AcpRig();
  const many = Array.from({ length: 52 }, (_, n) => ({ kind: 'execute', title: `n${n}` }));
  const turn = rig.start({ prompts: [[{ asks: many }]] }, { rules });
  await until('two are denied', () => turn.events().filter(({ type }) => type === 'denied').length === 2);
  expect(requests(turn)).toHaveLength(50);
  for (let number = 1; number <= 50; number += 1) await turn.say(`allow ${number}`);
  expect((await turn.ended).log.denials).toBe(2);
});

test('numbers that are no amounts are not taken for what was used', async () => {
  await using rig = new AcpRig();
  const endless = { amount: '1e400', currency: 'USD' };
  const steps: readonly FakeStep[] = [
    { raw: update({ sessionUpdate: 'usage_update', cost: { ...endless } }) },
    { say: 'x' },
    { stop: 'end_turn', more: { usage: { inputTokens: 1e308, outputTokens: 7 } } },
  ];
  const { log } = await rig.start({ prompts: [steps] }).ended;
  expect(log.usage).toEqual({ inputTokens: null, outputTokens: 7, costUsd: null });
});

/** As it would come from the agent, with a number that JSON.stringify cannot write. */
function update(told: object): string {
  const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'new-1', update: told } };
  return JSON.stringify(message).replace('"1e400"', '1e400');
}
