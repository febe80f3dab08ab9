import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { sayAnswer } from '../../src/app/host/say-answer.ts';
import { logLines } from '../../src/app/host/log-file.ts';
import { acpReader } from '../../src/drivers/acp/parse.ts';
import { readLog } from '../../src/drivers/turn-log.ts';
import {
  type PermissionAnswer,
  permissionQuestion,
  type PermissionRequest,
} from '../../src/model/permission.ts';
import { type AcpDriver, type AcpPreset, cautiousRules } from '../../src/model/acp.ts';
import { type SessionSpec, type StopReason, workflowHandoff } from '../../src/model/turn.ts';
import type { ScriptedModel } from '../rig/gemini-server.ts';
import type { ModelRule } from '../rig/model-brain.ts';
import { type CaseName, bigPrompt } from './cases.ts';
import { cell, eventsOf, expectSignIn, expectStop } from './cell.ts';
import type { CellTurn, Stage, TurnRequest } from './stage.ts';

type ToolCall = NonNullable<ModelRule['steps'][number]['tools']>[number];

/** What the cells must know about one agent. */
export interface AcpCli {
  readonly cli: AcpPreset;
  readonly model: string;
  serve(rules: readonly ModelRule[]): Promise<ScriptedModel>;
  /** Sets up its home, and gives what it must see. */
  settle(stage: Stage, server: ScriptedModel): Readonly<Record<string, string>>;
  readonly write: (path: string, content: string) => ToolCall;
  readonly run: (command: string) => ToolCall;
  /** Tools that no agent gets, each with this text for the model that it would ask; absent: a bridge keeps those of its CLI. */
  readonly others?: (text: string) => readonly ToolCall[];
  /** Where a command can be left in the background. */
  readonly runBehind?: (command: string) => ToolCall;
  /** Where it does not ask of itself before it runs something. */
  readonly runAsking?: (command: string) => ToolCall;
  /** It offers no way to deny an edit but one that ends its turn. */
  readonly deniedEditEnds?: true;
  readonly usage: object;
  /** Longer than its start takes; where it tries again for ever, the cell takes as long. */
  readonly quietMs: (name: CaseName) => number;
  /** Lets time pass between two turns. */
  later?(stage: Stage): void;
  /** `timeout`: it does not listen, and is ended at the deadline. */
  readonly sigterm: 'failed' | 'timeout';
  /** What a person is told to do about a refused key. */
  readonly signIn: string;
  /** How it ends where the CLIs differ, and a part of what is told. */
  readonly troubles: Readonly<
    Record<'limit-429' | 'api-500' | 'overload-529' | 'malformed', readonly [StopReason, RegExp]>
  >;
}

/** The same cells for every agent that is driven over the protocol. */
export function acpCells(about: AcpCli): void {
  const { cli, write, run } = about;

  cell(cli, 'good', async (stage) => {
    const file = join(stage.workspace, 'a.txt');
    const result = join(stage.folder, 'sessions/s1/result.json');
    await using talk = await opened(about, stage, [
      {
        steps: [
          { tools: [write(file, 'A')] },
          { tools: [run('cp a.txt b.txt')] },
          { tools: [write(result, '{"status":"success","summary":"there"}')] },
          { text: 'all done' },
        ],
      },
    ]);
    const done = await talk.say('write it; "$(id)"', { spec: { result: 'required' } });
    expectStop(done, 'finished');
    expect(done.turn).toMatchObject({ outcome: 'SUCCESS', toolCalls: 3, denials: 0, text: 'all done' });
    expect(done.turn.result).toMatchObject({ summary: 'there' });
    expect(done.turn.usage).toMatchObject(about.usage);
    expect(eventsOf(done, 'tool')).toMatchObject([
      { name: 'edit', target: file },
      { name: 'execute', target: 'cp a.txt b.txt' },
      { name: 'edit', target: result },
    ]);
    expect(done.files).toEqual(['a.txt', 'b.txt']);
    expect(readFileSync(join(stage.workspace, 'b.txt'), 'utf8').trimEnd()).toBe('A');
    expect(talk.server.prompts[0]).toMatch(/BLUE HERON[\s\S]*write it; "\$\(id\)"/);
  });

  cell(cli, 'two-turn', async (stage) => {
    await using talk = await opened(about, stage, [
      { match: 'RED FOX', steps: [{ text: 'the second' }] },
      { steps: [{ text: 'the first' }] },
    ]);
    const first = await talk.say('begin');
    const { conversation } = first.turn;
    expect(conversation).not.toBeNull();
    about.later?.(stage);
    const second = await talk.say('RED FOX', { spec: { continues: 's1', conversation } });
    expectStop(second, 'finished');
    expect(second.turn).toMatchObject({ text: 'the second', conversation });
    expect(eventsOf(second, 'problem')).toEqual([]);
    expect(talk.server.prompts.at(-1)).toMatch(/^RED FOX(\n|$)/);
    // The model is told what was said before.
    expect(talk.server.messages.at(-1)).toContain('the first');
  });

  cell(cli, 'denied', async (stage) => {
    await using talk = await opened(about, stage, [
      {
        steps: [
          { tools: [(about.runAsking ?? run)('touch x.txt')] },
          { tools: [write(join(stage.workspace, 'y.txt'), 'Y')] },
          { text: 'no' },
        ],
      },
    ]);
    const done = await talk.say('try it', {}, { rules: cautiousRules });
    expect(done.files).toEqual([]);
    expect(eventsOf(done, 'denied')[0]).toMatchObject({ tool: 'execute' });
    expect(done.survivors).toEqual([]);
  });

  const roles = async (stage: Stage): Promise<void> => {
    const plan = join(stage.folder, 'plan');
    mkdirSync(plan);
    const edit = write(join(stage.workspace, 'y.txt'), 'Y');
    const planning = write(join(plan, 'tasks.json'), '[]');
    const command = (about.runAsking ?? run)('touch x.txt');
    // What is denied comes first: an agent goes on to what it may do, unless a denied edit ends its turn.
    const rule = (match: string, tools: readonly ToolCall[]) => ({
      match,
      steps: [...tools.map((tool) => ({ tools: [tool] })), { text: 'tried' }],
    });
    await using talk = await opened(about, stage, [
      rule('PLAN', about.deniedEditEnds === true ? [planning, command, edit] : [edit, command, planning]),
      rule('WORK', about.deniedEditEnds === true ? [command, edit, planning] : [planning, edit, command]),
    ]);
    const tried = async (prompt: 'PLAN' | 'WORK', spec: Partial<SessionSpec>) => {
      const handoff = { ...workflowHandoff, addDirs: [plan] };
      const { files } = await talk.say(prompt, { spec: { ...spec, handoff } }, { rules: {} });
      const planned = existsSync(join(plan, 'tasks.json'));
      for (const file of [...files.map((name) => join(stage.workspace, name)), join(plan, 'tasks.json')])
        rmSync(file, { force: true });
      return { files, planned };
    };
    expect(await tried('WORK', {})).toEqual({ files: ['x.txt', 'y.txt'], planned: true });
    expect(await tried('PLAN', { role: 'planner' })).toEqual({ files: [], planned: true });
    expect(await tried('WORK', { role: 'verifier' })).toEqual({ files: ['x.txt'], planned: false });
    expect(await tried('WORK', { tools: ['Read', 'Grep'] })).toEqual({ files: [], planned: false });
  };
  cell(cli, 'roles', roles, { turns: 4 });

  const { others } = about;
  if (others !== undefined) {
    cell(cli, 'other-tools', async (stage) => {
      const calls = others('QUIET MOLE');
      const all = [...calls, ...(about.runBehind === undefined ? [] : [about.runBehind('touch x.txt')])];
      await using talk = await opened(about, stage, [
        { match: 'BROWN HARE', steps: [...all.map((call) => ({ tools: [call] })), { text: 'tried all' }] },
        { steps: [{ text: 'answered for another' }] },
      ]);
      const done = await talk.say('BROWN HARE', {}, { rules: {} });
      expectStop(done, 'finished');
      expect(done.turn.text).toContain('tried all');
      expect(done.files).toEqual([]);
      // The server sees whatever asks a model: a sub-agent, a search, a page that is summed up.
      expect(talk.server.prompts.filter((prompt) => prompt.includes('QUIET MOLE'))).toEqual([]);
      expect(talk.server.prompts).toHaveLength(all.length + 1);
      const [first = ''] = talk.server.messages;
      const isOffered = ({ name }: ToolCall): boolean => first.includes(`"name":"${name}"`);
      expect(calls.filter(isOffered)).toEqual([]);
      expect(isOffered(run('true'))).toBe(true);
    });
  }

  cell(cli, 'asked', async (stage) => {
    const file = join(stage.workspace, 'yes.txt');
    await using talk = await opened(about, stage, [
      {
        steps: [
          { tools: [write(file, 'Y')] },
          { tools: [(about.runAsking ?? run)('touch no.txt')] },
          { text: 'done as far as it goes' },
        ],
      },
    ]);
    const rules = { ...cautiousRules, edit: 'ask', execute: 'ask' } as const;
    const turn = talk.say('try it', {}, { rules });
    const asked = await answering(stage, turn, (tool) => (tool === 'edit' ? 'allow' : 'deny'));
    const done = await turn;
    expect(asked).toMatchObject([
      { number: 1, tool: 'edit', target: expect.stringContaining('yes.txt') as string },
      { number: 2, tool: 'execute' },
    ]);
    expect(`${asked[1]?.target} ${asked[1]?.input}`).toContain('touch no.txt');
    for (const { options } of asked) expect(options.slice(0, 2)).toEqual(['allow', 'deny']);
    expect(done.files).toEqual(['yes.txt']);
    expect(eventsOf(done, 'answered').map(({ answer }) => answer)).toEqual(['allow', 'deny']);
    expect(eventsOf(done, 'denied')).toMatchObject([{ tool: 'execute' }]);
    expect(done.survivors).toEqual([]);
  });

  // In the words of real providers: not every agent tells the status.
  signInCell(about, 'api-401', { status: 401, message: 'Incorrect API key provided' });
  signInCell(about, 'api-403', { status: 403, message: 'The caller does not have permission' });
  troubleCell(about, 'limit-429', { status: 429, message: 'Rate limit reached. Please try again in 20s.' });
  troubleCell(about, 'api-500', { status: 500, message: 'The server had an error' });
  troubleCell(about, 'overload-529', { status: 529, message: 'Overloaded' });
  troubleCell(about, 'malformed', { raw: 'data: {"choices": [<html>\n\ndata: nothing\n\n' });

  cell(cli, 'hang', async (stage) => {
    await using talk = await opened(about, stage, [{ steps: [{ hang: true }] }]);
    const done = await talk.say('wait', { spec: { timeoutMs: 30_000 } });
    expectStop(done, 'timeout');
    expect(talk.server.prompts).toHaveLength(1);
  });

  const endless = [{ steps: [{ tools: [run('tail -f /dev/null')] }] }];
  // A signal to the agent's own process, which is the child of ours.
  cell(cli, 'sigkill', async (stage) => {
    await using talk = await opened(about, stage, endless);
    const interrupt = { signal: 'SIGKILL', whenRuns: 'tail -f /dev/null' } as const;
    const done = await talk.say('wait', { interrupt });
    expectStop(done, 'failed');
    expect(done.turn.failure?.message).toMatch(/ended in the middle/);
  });

  cell(cli, 'sigterm', async (stage) => {
    await using talk = await opened(about, stage, endless);
    const interrupt = { signal: 'SIGTERM', whenRuns: 'tail -f /dev/null' } as const;
    const done = await talk.say('wait', { interrupt, spec: { timeoutMs: 40_000 } });
    expectStop(done, about.sigterm);
  });

  cell(cli, 'big-prompt', async (stage) => {
    await using talk = await opened(about, stage, [{ steps: [{ text: 'read' }] }]);
    const prompt = bigPrompt('GREY OWL');
    const done = await talk.say(prompt);
    expectStop(done, 'finished');
    expect(talk.server.prompts[0]).toContain(prompt);
  });
}

function signInCell(about: AcpCli, name: CaseName, step: ModelRule['steps'][number]): void {
  cell(about.cli, name, async (stage) => {
    await using talk = await opened(about, stage, [{ steps: [step] }]);
    const done = await talk.say('anything', { spec: { timeoutMs: 100_000 } });
    expectSignIn(done, talk.server.prompts, about.signIn);
  });
}

function troubleCell(
  about: AcpCli,
  name: keyof AcpCli['troubles'] & CaseName,
  step: ModelRule['steps'][number],
): void {
  cell(about.cli, name, async (stage) => {
    await using talk = await opened(about, stage, [{ steps: [step] }]);
    const done = await talk.say(
      'anything',
      { spec: { timeoutMs: 100_000 } },
      { quietMs: about.quietMs(name) },
    );
    const [stop, words] = about.troubles[name];
    expectStop(done, stop);
    expect(
      eventsOf(done, 'problem')
        .map(({ message }) => message)
        .join('\n'),
    ).toMatch(words);
  });
}

/** Answers what the first session of a stage asks, until its turn is over; what was asked. */
async function answering(
  { folder }: Stage,
  turn: Promise<CellTurn>,
  decide: (tool: string) => PermissionAnswer,
): Promise<readonly PermissionRequest[]> {
  const dir = join(folder, 'sessions/s1');
  const asked: PermissionRequest[] = [];
  const over = new AbortController();
  const ended = turn.finally(() => {
    over.abort();
  });
  while (!over.signal.aborted) {
    const { asks } = readLog(logLines(join(dir, 'output.log')), acpReader());
    for (const { request } of asks.filter((ask) => ask.request.number > asked.length)) {
      asked.push(request);
      const question = permissionQuestion(request, { agent: 'coder', step: 's', until: 0 });
      await sayAnswer(dir, request.number, decide(request.tool), question);
    }
    await Promise.race([ended, pause(100)]);
  }
  return asked;
}

/** A server for the rules, and how to say something to the agent that talks to it. */
async function opened(about: AcpCli, stage: Stage, rules: readonly ModelRule[]) {
  const server = await about.serve(rules);
  const env = about.settle(stage, server);
  const driver: AcpDriver = {
    type: 'acp',
    agent: { preset: about.cli, program: stage.program },
    models: { high: about.model },
    rules: { ...cautiousRules, edit: 'allow', execute: 'allow' },
    quietMs: 60_000,
  };
  return {
    server,
    say: (
      prompt: string,
      more: Partial<TurnRequest> = {},
      config: Partial<AcpDriver> = {},
    ): Promise<CellTurn> => stage.run({ driver: { ...driver, ...config }, prompt, env, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
