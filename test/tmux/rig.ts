import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { identify } from '../../src/lib/process/identity.ts';
import { attemptFinder } from '../../src/runtime/follow.ts';
import { type Ack, postMessage } from '../../src/runtime/spool.ts';
import { Tmux } from '../../src/runtime/tmux/client.ts';
import { type InteractiveSpec, launchInteractive } from '../../src/runtime/tmux/launch-interactive.ts';
import type { RecordedEnd } from '../../src/runtime/recorded-end.ts';
import type { TypistTimes } from '../../src/runtime/tmux/typist.ts';
import { until } from '../rig/attempt-rig.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

export interface TmuxRigOptions {
  /** The folder below which sessions live; may be called anything. */
  readonly name?: string;
}

/** For tests: a tmux server of the test's own, and the certainty that it and all it ran is gone afterwards. */
export class TmuxRig implements AsyncDisposable {
  readonly #temp = tempFolder();
  readonly #specs: InteractiveSpec[] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly tmux: Tmux;
  #closed = false;

  constructor({ name = 'work' }: TmuxRigOptions = {}) {
    this.#folder = join(this.#temp.path, name);
    mkdirSync(this.#folder, { mode: 0o700 });
    this.#env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: this.path, TMUX_TMPDIR: this.#temp.path };
    this.tmux = new Tmux({ socket: 'rig', prefix: 'iw' }, this.#env);
    // A test that hangs never comes to the end of its block.
    onTestFinished(() => this[Symbol.asyncDispose]());
  }

  get path(): string {
    return this.#folder;
  }

  /** tmux itself, asked by nobody's code but the test's. */
  raw(...args: readonly string[]): string {
    const { stdout } = spawnSync('tmux', ['-L', 'rig', '-f', '/dev/null', ...args], {
      env: this.#env,
      encoding: 'utf8',
    });
    return stdout;
  }

  spec(prompt: string | null, more: Partial<InteractiveSpec> = {}, manner = 'plain'): InteractiveSpec {
    const id = `s-${this.#specs.length + 1}`;
    const dir = join(this.#folder, id);
    mkdirSync(dir, { mode: 0o700 });
    const stdinFile = prompt === null ? null : join(dir, 'stdin');
    if (stdinFile !== null) writeFileSync(stdinFile, prompt ?? '', { mode: 0o600 });
    const spec: InteractiveSpec = {
      dir,
      marker: `${basename(this.#temp.path)}:${id}#k#1`,
      argv: [process.execPath, repository('test/tmux/stand-in.ts'), manner],
      cwd: dir,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', RIG: dir, TUTTI_SESSION_DIR: dir },
      stdinFile,
      logFile: join(dir, 'output.log'),
      timeoutMs: null,
      limits: null,
      session: { session_id: id },
      ...more,
    };
    this.#specs.push(spec);
    return spec;
  }

  state(spec: InteractiveSpec): Readonly<Record<string, unknown>> {
    try {
      return JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8')) as Record<string, unknown>;
    } catch {
      return {};
    }
  }

  log(spec: InteractiveSpec): string {
    const path = join(spec.dir, 'session.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Without the pauses that people's interfaces need. */
  launch(spec: InteractiveSpec, times: Partial<TypistTimes> = {}): Promise<RecordedEnd | 'lost'> {
    return launchInteractive(spec, this.tmux, {
      times: { readyMs: 15_000, submittedMs: 15_000, settleMs: 10, ...times },
    });
  }

  left(): readonly number[] {
    return this.#specs.flatMap(({ marker }) => attemptFinder(marker, null)().map(({ pid }) => pid));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const server = Number(this.raw('display-message', '-p', '#{pid}'));
    this.raw('kill-server');
    try {
      await until('the server is gone', () => !(server > 0) || identify(server) === null);
      await until('nobody is left behind', () => this.left().length === 0);
    } finally {
      for (const pid of this.left()) process.kill(pid, 'SIGKILL');
      this.#temp[Symbol.dispose]();
    }
  }
}

/** What `tutti session send` does: resolves when the interface has said that it took the text, or why not. */
export function sendInteractive(dir: string, text: string, timeoutMs = 30_000): Promise<Ack> {
  return postMessage(dir, { kind: 'send', text }, timeoutMs);
}
