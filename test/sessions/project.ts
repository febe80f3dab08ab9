import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreateRequest } from '../../src/app/session-control/request.ts';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import type { Session } from '../../src/model/session.ts';
import { isTerminal } from '../../src/model/session.ts';
import { until } from '../rig/attempt-rig.ts';
import { writeProject } from '../rig/program.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { plainRequest } from './plain-request.ts';
import { openTutti } from '../rig/trust.ts';

/**
 * An agent in shell that does what its prompt says: `wait NAME` waits for a file, `fail` exits with 3, `silent` leaves no
 * result, `say …` prints, anything else succeeds. It notes each start in `ledger`.
 */
const agent = `prompt=$(cat)
echo "$TUTTI_SESSION_ID turn $TUTTI_TURN" >> "$TUTTI_PROJECT/ledger"
task=\${prompt##*'**TASK DELEGATION**:'}
case $task in *"wait "*) name=\${task##*wait }; name=\${name%%[!a-z0-9-]*}; while [ ! -e "$TUTTI_PROJECT/$name" ]; do sleep 0.05; done ;; esac
case $task in *"say "*) printf '%s\\n' "\${task##*say }" ;; esac
case $task in *fail*) echo "went wrong"; exit 3 ;; esac
case $task in *silent*) exit 0 ;; esac
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

/** Keeps its input open, says back what it is told, and ends when it hears `end`. */
const listener = `echo "$TUTTI_SESSION_ID turn $TUTTI_TURN" >> "$TUTTI_PROJECT/ledger"
while read -r line; do
  case $line in end) break ;; *) echo "heard: $line" ;; esac
done
echo '{"status":"success","summary":"listened"}' > "$TUTTI_RESULT"
`;

/** A project with two drivers of its own, opened in this process; everything it started is ended with it. */
export class SessionProject implements AsyncDisposable {
  readonly path: string;
  /** A tmux server of its own. */
  readonly socket = `tutti-test-${randomBytes(6).toString('hex')}`;
  readonly #folder: TempFolder;
  readonly #opened: Tutti[] = [];

  constructor(config: object = {}) {
    this.#folder = tempFolder();
    this.path = realpathSync(this.#folder.path);
    writeProject(this.path, {
      'agent.sh': agent,
      'listener.sh': listener,
      'agents/chief.md': '---\nallow: [sessions]\n---\nYou start sessions.\n',
      'agents/worker.md': '---\nallow: []\n---\nYou work.\n',
      'tutti.yaml': {
        driver: 'mine',
        drivers: {
          mine: { type: 'command', command: ['sh', './agent.sh'] },
          chat: { type: 'command', command: ['sh', './listener.sh'], input: 'stream' },
        },
        tmux: { socket: this.socket },
        ...config,
      },
    });
  }

  /** As a person would, on this project's own server. */
  tmux(...args: readonly string[]): string {
    const { stdout } = spawnSync('tmux', ['-L', this.socket, ...args], { encoding: 'utf8' });
    return stdout;
  }

  /** As another process would see the project. */
  open(env: Readonly<Record<string, string>> = {}): Tutti {
    const base = { PATH: process.env['PATH'] ?? '', HOME: this.path };
    const opened = openTutti({ folder: this.path, env: { ...base, ...env }, create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    this.#opened.push(opened.value);
    return opened.value;
  }

  request(prompt: string, change: Partial<CreateRequest> = {}): CreateRequest {
    const promptFile = join(this.path, 'task.md');
    writeFileSync(promptFile, prompt);
    return { ...plainRequest(this.path, promptFile), ...change };
  }

  async create(tutti: Tutti, prompt: string, change: Partial<CreateRequest> = {}): Promise<Session> {
    const created = await createSession(tutti, this.request(prompt, change));
    if (!created.ok) throw new Error(created.error.message);
    return created.value.session;
  }

  /** By a process of its own, which has ended when this returns. Gives the id. */
  createApart(prompt: string, change: Partial<CreateRequest> = {}): string {
    const program = fileURLToPath(new URL('creator.ts', import.meta.url));
    const request = JSON.stringify(this.request(prompt, change));
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.path };
    return execFileSync(process.execPath, [program, request], { encoding: 'utf8', env, cwd: this.path });
  }

  file(id: string, name: string): string {
    return readFileSync(join(this.path, '.tutti', 'sessions', id, name), 'utf8');
  }

  state(id: string): Readonly<Record<string, unknown>> {
    return JSON.parse(this.file(id, 'state.json')) as Record<string, unknown>;
  }

  async untilStatus(tutti: Tutti, id: string, status: Session['status']): Promise<Session> {
    await until(`${id} is ${status}`, async () => (await tutti.queries.sessions.one(id))?.status === status);
    const session = await tutti.queries.sessions.one(id);
    if (session === null) throw new Error(`${id} vanished`);
    return session;
  }

  ledger(): readonly string[] {
    const path = join(this.path, 'ledger');
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  }

  go(name: string): void {
    writeFileSync(join(this.path, name), '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const tutti = this.open();
    const live = (
      await tutti.queries.sessions.list(
        { status: null, tags: [], parent: null, archived: false },
        { limit: null, before: null },
      )
    ).filter(({ status }) => !isTerminal(status));
    for (const { id } of live) await killSession(tutti, { id, reason: 'the test is over', by: 'test' });
    await until('the conductor goes', async () => {
      const conductor = await tutti.queries.conductor();
      return conductor === null || !isAlive(conductor);
    });
    this.tmux('kill-server');
    for (const one of this.#opened) one[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}
