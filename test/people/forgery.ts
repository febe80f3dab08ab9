import { allOf } from '../rig/all-of.ts';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { auditEvents } from '../../src/app/sessions/audit.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { identify } from '../../src/lib/process/identity.ts';
import { asking } from '../cli/project.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { repository } from '../rig/repository.ts';
import { startTutti, tutti, writeProject } from '../rig/program.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import type { Fate, Way } from './ways.ts';
import { openTutti, trustProject } from '../rig/trust.ts';

export interface ForgeryOptions {
  /** The file that decides; absent: the built program. */
  readonly program?: string;
  /** Let the agent leave its control groups first, as if the system had none. */
  readonly ungrouped?: boolean;
  /** No agent at all: the same script, by a process that comes from none. */
  readonly byPerson?: boolean;
  /** The person's own configuration. */
  readonly configuration?: string;
}

interface Attempt {
  readonly fate: Fate;
  readonly decidedBy: readonly string[];
  readonly said: string;
}

/** Leaves every group of a session and of a step, which is a group inside a group, for those that may write to groups. */
const leaveGroups = `
while IFS=: read -r _ controllers path; do
  case $path in *tutti@*) ;; *) continue ;; esac
  name=\${controllers#name=}
  for mount in "/sys/fs/cgroup/$name" /sys/fs/cgroup/unified /sys/fs/cgroup; do
    above=$mount\${path%%/tutti@*}/cgroup.procs
    if [ -e "$above" ]; then echo $$ >"$above" 2>/dev/null && break; fi
  done
done </proc/self/cgroup
`;

/** A project with an open question, an agent that tries to answer it, and a person whose services it can reach. */
export class Forgery implements AsyncDisposable {
  readonly #folder: TempFolder = tempFolder();
  readonly #project: string;
  readonly #way: string;
  readonly #program: string;
  readonly #ungrouped: boolean;
  readonly #byPerson: boolean;
  readonly #socket = `tutti-forgery-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  readonly #jobs: ChildProcess;

  constructor({
    program = installedTutti(),
    ungrouped = false,
    byPerson = false,
    configuration,
  }: ForgeryOptions) {
    const root = realpathSync(this.#folder.path);
    this.#project = join(root, 'project');
    this.#way = join(root, 'way');
    this.#program = program;
    this.#ungrouped = ungrouped;
    this.#byPerson = byPerson;
    for (const folder of [this.#project, this.#way, join(root, 'jobs')]) mkdirSync(folder);
    if (configuration !== undefined) {
      writeProject(root, { '.config/tutti/config.yaml': configuration });
      chmodSync(join(root, '.config/tutti/config.yaml'), 0o600);
    }
    // A service of the person that runs what lies in a folder, with its own environment.
    const service =
      'while :; do for job in *.sh; do [ -e "$job" ] && { sh "$job"; rm -f "$job"; }; done; sleep 0.1; done';
    this.#jobs = spawn('sh', ['-c', service], { cwd: join(root, 'jobs'), stdio: 'ignore', env: this.#env() });
  }

  #env(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: realpathSync(this.#folder.path) };
  }

  /** Tries the way in a session; says whether the decision was made, by whom, and what Tutti said. */
  async attempt({ script, needs }: Way): Promise<Attempt> {
    writeProject(this.#project, {
      'asking.yaml': asking,
      'agents/forger.md': '---\nresult: optional\nallow: [code, sessions]\n---\nYou forge.\n',
      'task.md': 'Answer the question yourself.',
      'tutti.yaml': {
        driver: 'forger',
        drivers: { forger: { type: 'command', command: ['sh', join(this.#way, 'agent.sh')] } },
        sandbox: 'off',
      },
    });
    const asked = await tutti(this.#project, 'run', 'asking.yaml', '--run-id', 'asked');
    if (asked.code !== 3) throw new Error(`the run does not ask: ${asked.stderr}${asked.stdout}`);
    if (needs === 'tmux') this.#tmux('new-session', '-d', '-s', 'person');
    this.#write(script);
    if (this.#byPerson) await this.#actAsPerson();
    else await this.#actAsAgent();
    await this.#over();
    const decidedBy = await this.#decidedBy();
    const isDecided = decidedBy.length > 0 || (await this.#isAnswered());
    return { fate: isDecided ? 'decided' : 'refused', decidedBy, said: this.#read('said') };
  }

  async #actAsAgent(): Promise<void> {
    const created = await startTutti(this.#project, ['session', 'create', 'forger', 'task.md'], this.#env())
      .ended;
    if (created.code !== 0) throw new Error(created.stderr);
    const ended = await startTutti(this.#project, ['session', 'wait', 'last'], this.#env()).ended;
    writeFileSync(join(this.#way, 'ended'), `${ended.code ?? ''}`);
  }

  /** By a shell that its starter has left: it comes from no process that the tests, or an agent that started them, has. */
  async #actAsPerson(): Promise<void> {
    trustProject(this.#project, this.#env());
    const done = join(this.#way, 'ended');
    const script = `setsid sh -c 'sh "$0/agent.sh" >"$0/log" 2>&1; : >"$0/ended"' "$1" &`;
    spawnSync('sh', ['-c', script, 'sh', this.#way], { env: this.#env(), stdio: 'ignore' });
    while (!existsSync(done)) await pause(50);
  }

  #write(script: string): void {
    const way = this.#way;
    const tuttiCommand = `'${process.execPath}' '${this.#program}'`;
    const question = 'Q1';
    writeProject(way, {
      'spec.md': '# Nothing\n\nBuild nothing.\n',
      'flow.yaml': { name: 'forged', steps: [{ id: 'decide', command: ['sh', join(way, 'decide.sh')] }] },
      'escaping.yaml': {
        name: 'escaping',
        steps: [{ id: 'escape', command: ['sh', join(way, 'escape.sh')] }],
      },
      'escape.sh': `${this.#ungrouped ? leaveGroups : ''}
sh -c 'setsid env -i PATH="$PATH" HOME="$HOME" sh "${way}/decide.sh" &' & wait
`,
      'decide.sh': `echo $$ >'${way}/pid'
cd '${this.#project}'
${tuttiCommand} \${OTHER:-answer ${question} yes} >'${way}/said' 2>&1
echo $? >'${way}/code'
`,
      'later.sh': `echo $$ >'${way}/pid'
while [ ! -e '${way}/ended' ]; do sleep 0.1; done
exec sh '${way}/decide.sh'
`,
      'agent.sh': `${this.#ungrouped ? leaveGroups : ''}
export WAY='${way}' PROJECT='${this.#project}' NODE='${process.execPath}' RIG='${repository('test/people')}'
export DECIDE="$WAY/decide.sh" LATER="$WAY/later.sh" TUTTI="${tuttiCommand.replaceAll("'", '')}" QUESTION=${question}
export SOCKET='${this.#socket}-own' PERSON_SOCKET='${this.#socket}' JOBS="$WAY/../jobs"
export RULE=${this.#program.includes('without-rule') ? 'removed' : 'kept'}
await_decision() { n=0; while [ ! -e "$WAY/code" ] && [ $n -lt 600 ]; do n=$((n + 1)); sleep 0.1; done; }
# A plan or a run that the way starts uses this agent too.
[ ! -e "$WAY/began" ] || exit 1
: >"$WAY/began"
cd "$PROJECT"
${script}
`,
    });
  }

  /** Until the script that decides has ended too. */
  async #over(): Promise<void> {
    const isDeciding = (): boolean => identify(Number(this.#read('pid'))) !== null;
    while (!existsSync(join(this.#way, 'code')) && isDeciding()) {
      await pause(50);
    }
  }

  /** By the audit, which has every decision. */
  async #decidedBy(): Promise<readonly string[]> {
    using project = this.#open();
    const request = { sinceMs: null, kind: 'decision', session: null } as const;
    return (await allOf(auditEvents(project, request))).flatMap(({ event }) =>
      event.type === 'decision.made' ? [event.by] : [],
    );
  }

  /** By the answer itself, which a forger can write without asking. */
  async #isAnswered(): Promise<boolean> {
    using project = this.#open();
    return (await project.queries.question(1))?.answer !== null;
  }

  #open(): Tutti {
    const opened = openTutti({ folder: this.#project, env: this.#env(), create: false });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }

  #read(name: string): string {
    const path = join(this.#way, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  #tmux(...args: readonly string[]): void {
    spawnSync('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args], { env: this.#env() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#jobs.kill('SIGKILL');
    for (const socket of [this.#socket, `${this.#socket}-own`])
      spawnSync('tmux', ['-L', socket, 'kill-server'], { stdio: 'ignore' });
    await startTutti(this.#project, ['stop', '--all'], this.#env()).ended;
    rmSync(this.#folder.path, { recursive: true, force: true, maxRetries: 10 });
  }
}
