import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { stringify } from 'yaml';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { findProgram } from '../../src/lib/find-program.ts';
import { shellWord } from '../../src/lib/shell-word.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import { isTerminal, type Session } from '../../src/model/session.ts';
import { AgentLedProject } from '../agent-led/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { needProgram } from '../rig/need-program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { openTutti } from '../rig/trust.ts';
import { plainRequest } from '../sessions/plain-request.ts';

export type Mode = 'off' | 'workspace' | 'strict';

export function needSandbox(context: Pick<TestContext, 'skip'>, mode: Mode = 'workspace'): void {
  needProgram(context, 'bwrap');
  const missing = mode === 'strict' && findProgram('srt', process.env['PATH']) === null;
  if (missing) context.skip('srt is not installed: npm install -g @anthropic-ai/sandbox-runtime');
}

/** `tutti`, as an agent calls it. */
export const tutti = [process.execPath, installedTutti()].map(shellWord).join(' ');

/** A shell function: `say NAME WORD…` calls tutti and keeps what came of it in the session's folder. */
const say = `say() {
  name=$1; shift
  ${tutti} "$@" >"$TUTTI_SESSION_DIR/$name.out" 2>"$TUTTI_SESSION_DIR/$name.err" </dev/null
  echo $? >"$TUTTI_SESSION_DIR/$name.code"
}
`;

export interface Said {
  readonly out: string;
  readonly err: string;
  readonly code: string;
}

/** A project whose agent is a shell script of the test's own, in a sandbox. */
export class RelayProject extends AgentLedProject implements AsyncDisposable {
  readonly #opened: Tutti[] = [];

  constructor(mode: Mode) {
    super({ tasks: 4 });
    mkdirSync(join(this.path, 'agents'));
    const sandbox = mode === 'off' ? 'off' : { mode, write: [], domains: [] };
    const drivers = {
      mine: { type: 'command', command: ['sh', './act.sh'] },
      idle: { type: 'command', command: ['cat'] },
      deaf: { type: 'command', command: ['sleep', '300'], input: 'stream' },
    };
    this.put('tutti.yaml', stringify({ driver: 'mine', drivers, sandbox }));
    this.put('agents/chief.md', '---\nallow: [code, sessions]\n---\nYou start sessions.\n');
    this.put('agents/worker.md', '---\nallow: []\n---\nYou work.\n');
    this.put('task.md', 'Work.\n');
  }

  put(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  open(): Tutti {
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.home, USER: 'ada' };
    const opened = openTutti({ folder: this.path, env, create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    this.#opened.push(opened.value);
    return opened.value;
  }

  /** What the next agent does. */
  script(text: string): void {
    this.put('act.sh', `cat >/dev/null\n${say}${text}\necho '{"status":"success"}' > "$TUTTI_RESULT"\n`);
  }

  /** Starts an agent that runs this script. */
  async start(script: string, agent = 'chief'): Promise<Session> {
    this.script(script);
    const request = { ...plainRequest(this.path, join(this.path, 'task.md')), agent };
    const created = await createSession(this.open(), request);
    if (!created.ok) throw new Error(created.error.message);
    return created.value.session;
  }

  /** The same, to its end. */
  async act(script: string, agent = 'chief'): Promise<string> {
    const project = this.open();
    const { id } = await this.start(script, agent);
    const waited = await waitForSession(project, id, hangLimitMs);
    if (!waited.ok) throw new Error(waited.error.message);
    return id;
  }

  async untilEnded(project: Tutti, id: string): Promise<void> {
    await until(`${id} has ended`, async () =>
      isTerminal((await project.queries.sessions.one(id))?.status ?? 'CREATED'),
    );
  }

  sessionFile(id: string, name: string): string {
    const path = join(this.path, '.tutti/sessions', id, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  said(id: string, name: string): Said {
    const file = (kind: string): string => this.sessionFile(id, `${name}.${kind}`);
    return { out: file('out'), err: file('err'), code: file('code').trim() };
  }

  /** Without what differs between two runs of the same. */
  plain(text: string, id: string): string {
    return text
      .replaceAll(this.path, 'PROJECT')
      .replaceAll(id, 'SESSION')
      .replaceAll(/\d{8}-\d{6}-[a-z]+(-[0-9a-f]+)?(-\d+)?/g, 'OTHER')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\b[\d.]+ ?m?s\b/g, 'DURATION');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const project = this.open();
    const live = (
      await project.queries.sessions.list(
        { status: null, tags: [], parent: null, archived: false },
        { limit: null, before: null },
      )
    ).filter(({ status }) => !isTerminal(status));
    for (const { id } of live) await killSession(project, { id, reason: 'the test is over', by: 'test' });
    await until('the conductor goes', async () => {
      const conductor = await project.queries.conductor();
      return conductor === null || !isAlive(conductor);
    });
    for (const one of this.#opened) one[Symbol.dispose]();
    this[Symbol.dispose]();
  }
}
