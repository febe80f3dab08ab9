import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Redactor } from '../../lib/redact.ts';
import { type LaunchedAttempt, stateRemoved, stoppedWithRun } from '../../model/ports/host.ts';
import { announceEnding, recordEnd } from '../../runtime/attempt-files.ts';
import { endedSilently } from '../../runtime/recorded-end.ts';
import { plainSpec } from '../../../test/rig/session-spec.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { continueLost, foundNothing } from './lost-attempt.ts';

const init = '{"type":"system","subtype":"init","session_id":"c-1","tools":[]}';
const used =
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make deploy"}}]}}';
const answered =
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}';

/** Attempts of one key, oldest first, each with the lines of its log. */
class Rig implements Disposable {
  readonly #folder = tempFolder();
  readonly #logs: readonly (readonly string[])[];

  constructor(...logs: readonly (readonly string[])[]) {
    this.#logs = logs;
    for (const [index, lines] of logs.entries()) {
      mkdirSync(this.dir(index + 1));
      writeFileSync(join(this.dir(index + 1), 'output.log'), `${lines.join('\n')}\n`);
    }
  }

  dir(attempt: number): string {
    return join(this.#folder.path, `s${attempt}`);
  }

  async next(driver: 'claude' | 'program' = 'claude') {
    const sessions = this.#logs.map((_lines, index) => ({
      id: `s${index + 1}`,
      key: 'one@1',
      attempt: index + 1,
      driver,
      host: 'headless',
    }));
    const drivers = {
      claude: { type: 'claude', program: 'claude', allowedTools: [], models: {} },
      program: { type: 'command', command: ['true'], input: 'prompt' },
    };
    const parts = {
      paths: { root: this.#folder.path, session: (id: string) => join(this.#folder.path, id) },
      config: { drivers },
      env: {},
      redactor: new Redactor([]),
      queries: { sessions: { ofRun: () => sessions } },
    } as unknown as Parameters<typeof continueLost>[0];
    const attempt: LaunchedAttempt = {
      runId: 'r',
      key: 'one@1',
      attempt: this.#logs.length + 1,
      kind: 'session',
      spec: null,
      sessionId: 'next',
      deadlineAt: null,
    };
    return continueLost(parts, attempt, { ...plainSpec, driver, prompt: 'Build it.' });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

test('an attempt after a lost one continues its conversation and names the tool call in flight', async () => {
  using rig = new Rig([init, used]);
  const { spec, recovered } = await rig.next();
  expect(recovered).toEqual({ session: 's1', conversation: 'c-1', inFlight: ['Bash make deploy'] });
  expect(spec).toMatchObject({ continues: 's1', conversation: 'c-1' });
  expect(spec.prompt).toMatch(/may have run[\s\S]*Bash make deploy[\s\S]*The task:\n\nBuild it\./);
});

test('a tool call whose result is in the log is not in flight', async () => {
  using rig = new Rig([init, used, answered]);
  expect((await rig.next()).recovered?.inFlight).toEqual([]);
  expect((await rig.next()).spec.prompt).not.toContain('may have run');
});

test('an attempt that vanished before its model answered is skipped for the one before it', async () => {
  using rig = new Rig([init, used, answered], [init]);
  expect((await rig.next()).recovered).toMatchObject({ session: 's1' });
});

test.each([
  ['no attempt came before', () => new Rig()],
  ['the model answered nothing', () => new Rig([init])],
  ['the log is empty', () => new Rig([''])],
])('a turn starts over when %s', async (_, make) => {
  using rig = make();
  expect(await rig.next()).toMatchObject({ recovered: null, spec: { prompt: 'Build it.', continues: null } });
});

test('a turn starts over after an attempt with a recorded end, and with a CLI that cannot continue', async () => {
  using rig = new Rig([init, used]);
  expect((await rig.next('program')).recovered).toBeNull();
  recordEnd(rig.dir(1), endedSilently('killed', 'a person stopped it'));
  expect((await rig.next()).recovered).toBeNull();
});

test.each([stoppedWithRun, stateRemoved])(
  'a turn that was ended with its run (%s) continues its conversation when the run is resumed',
  async (reason) => {
    using rig = new Rig([init, used]);
    announceEnding(rig.dir(1), 'killed', reason);
    recordEnd(rig.dir(1), endedSilently('killed', reason));
    expect((await rig.next()).recovered).toMatchObject({ session: 's1', conversation: 'c-1' });
  },
);

test('a turn that a person killed by itself starts over', async () => {
  using rig = new Rig([init, used]);
  announceEnding(rig.dir(1), 'killed', 'a person asked for it');
  expect((await rig.next()).recovered).toBeNull();
});

test('a CLI that does not find its conversation has done nothing', () => {
  const turn = { stop: 'failed', conversation: null, toolCalls: 0, text: '' } as const;
  const whole = turn as unknown as Parameters<typeof foundNothing>[0];
  expect(foundNothing(whole)).toBe(true);
  expect(foundNothing({ ...whole, toolCalls: 1 })).toBe(false);
  expect(foundNothing({ ...whole, conversation: 'c' })).toBe(false);
});
