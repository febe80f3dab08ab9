import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { driverOf } from '../../src/drivers/registry.ts';
import { readLog, type TurnLog } from '../../src/drivers/turn-log.ts';
import { type AcpDriver, cautiousRules } from '../../src/model/acp.ts';
import type { DriverEvent } from '../../src/model/driver.ts';
import type { SessionSpec, StopReason } from '../../src/model/turn.ts';
import { end } from '../../src/runtime/end-attempt.ts';
import { launch } from '../../src/runtime/launcher.ts';
import { type Ack, postMessage } from '../../src/runtime/spool.ts';
import { AttemptRig } from '../rig/attempt-rig.ts';
import { fakeAgent, type FakeScript } from '../rig/fake-acp-agent.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { noTrust } from '../rig/trust.ts';
import { plainSpec } from '../rig/session-spec.ts';

interface TurnEnd {
  readonly stop: StopReason;
  readonly exitCode: number | null;
  readonly log: TurnLog;
  readonly events: readonly DriverEvent[];
}

export interface StartedTurn {
  readonly dir: string;
  readonly marker: string;
  readonly ended: Promise<TurnEnd>;
  events(): readonly DriverEvent[];
  say(text: string): Promise<Ack>;
}

/** Turns with the scripted agent through driver, session relay and client, as a project would run them. */
export class AcpRig implements AsyncDisposable {
  readonly #folder: TempFolder = tempFolder();
  readonly #attempts = new AttemptRig(this.#folder.path);
  readonly workspace = join(this.#folder.path, 'work');

  constructor() {
    mkdirSync(this.workspace);
  }

  path(...parts: readonly string[]): string {
    return join(this.workspace, ...parts);
  }

  start(
    script: FakeScript,
    more: Partial<AcpDriver> & { flags?: string[]; spec?: Partial<SessionSpec> } = {},
  ): StartedTurn {
    const { flags = [], spec: asked = {}, ...config } = more;
    const command = [process.execPath, fakeAgent, JSON.stringify(script), ...flags] as const;
    const acp: AcpDriver = {
      type: 'acp',
      agent: { command: [...command] },
      models: {},
      rules: cautiousRules,
      quietMs: 20_000,
      ...config,
    };
    const driver = driverOf('mine', { drivers: { mine: acp } }, { projectDir: '/p', searchPath: '' });
    if (!driver.ok) throw new Error(driver.error.message);
    const attempt = this.#attempts.spec(['true'], { cwd: this.workspace, session: { session_id: 's' } });
    const { dir, logFile, marker } = attempt;
    const spec: SessionSpec = { ...plain, workspace: this.workspace, ...asked };
    const plan = driver.value.plan(spec, {
      sessionId: 's',
      sessionDir: dir,
      contract: { by: 'file', path: join(dir, 'result.json') },
      projectDir: '/p',
      trust: noTrust,
    });
    const stdinFile = join(dir, 'stdin');
    writeFileSync(stdinFile, plan.stdin);
    const lines = (): readonly string[] =>
      existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n') : [];
    const ended = launch({ ...attempt, argv: plan.argv, launcher: plan.launcher, stdinFile }).then(
      (record) => {
        if (record === 'lost') throw new Error('lost');
        const reader = driver.value.reader();
        const log = readLog(lines(), reader);
        return { stop: reader.stop(record), exitCode: record.exitCode, log, events: events() };
      },
    );
    const events = (): readonly DriverEvent[] => {
      const reader = driver.value.reader();
      return lines().flatMap((line) => reader.line(line));
    };
    return { dir, marker, ended, events, say: (text) => postMessage(dir, { kind: 'send', text }) };
  }

  async end({ dir, marker }: StartedTurn): Promise<void> {
    await end(dir, marker, 'the test wants it');
  }

  /** What the agent heard, in order. */
  heard(): readonly { readonly method?: string; readonly params?: object; readonly error?: object }[] {
    const file = this.path('heard.jsonl');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { method?: string; params?: object });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#attempts.close();
    this.#folder[Symbol.dispose]();
  }
}

const plain: SessionSpec = {
  ...plainSpec,
  workspace: '',
};
