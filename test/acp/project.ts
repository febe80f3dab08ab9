import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lines, processesOf } from '../e2e/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { fakeAgent, type FakeStep } from '../rig/fake-acp-agent.ts';
import { identify } from '../../src/lib/process/identity.ts';
import { type ProgramEnd, startTutti, type StartedProgram, tutti, writeProject } from '../rig/program.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';

export interface InboxQuestion {
  readonly id: string;
  readonly run_id: string;
  readonly key: string;
  readonly step: string;
  readonly agent: string;
  readonly session_id: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly evidence: Readonly<Record<string, string>>;
  readonly asked_at: string;
  readonly until: string;
}

interface Status {
  readonly state: string;
  readonly outcome: string | null;
}

/** A project whose agent asks a person before it acts, advanced by the program itself in processes of its own. */
export class AskingProject implements AsyncDisposable {
  readonly #folder: TempFolder = tempFolder();
  readonly #started: StartedProgram[] = [];
  #killedConductors = 0;
  readonly path = realpathSync(this.#folder.path);

  constructor(steps: readonly FakeStep[], timeout = '2m', driver: object | null = null) {
    const script = JSON.stringify({ prompts: [steps] });
    const acp = { type: 'acp', command: [process.execPath, fakeAgent, script], permissions: 'ask' };
    writeProject(this.path, {
      'agents/careful.md': '---\nresult: optional\n---\nYou are careful.\n',
      'flow.yaml': {
        name: 'asking',
        steps: [{ id: 'build', agent: 'careful', prompt: 'build it', timeout }],
      },
      'tutti.yaml': {
        driver: 'mine',
        drivers: { mine: driver ?? acp },
        sandbox: 'off',
      },
    });
  }

  /** `tutti run` as run `r`, without a terminal: it leaves the run to the conductor as soon as only people can continue it. */
  start(): StartedProgram {
    const started = startTutti(this.path, ['run', 'flow.yaml', '--run-id', 'r']);
    this.#started.push(started);
    return started;
  }

  /** The same; `ended` is the end of the run, whoever advances it then. */
  run(): StartedProgram {
    const { child, ended } = this.start();
    return { child, ended: ended.then((end) => (end.code === 3 ? this.#over(end) : end)) };
  }

  async #over({ stdout, ...end }: ProgramEnd): Promise<ProgramEnd> {
    let outcome: unknown = null;
    await until('the run is over', async () => {
      const shown = JSON.parse((await tutti(this.path, 'status', 'r', '--json')).stdout) as Status;
      ({ outcome } = shown);
      return shown.state === 'ended';
    });
    const events = (await tutti(this.path, 'events', 'r')).stdout;
    return { ...end, code: outcome === 'SUCCESS' ? 0 : 1, stdout: stdout + events };
  }

  /** kill -9 for the process that advances the run, be it the command or the conductor that it left the run to. */
  async abandon({ child, ended }: StartedProgram): Promise<void> {
    child.kill('SIGKILL');
    if ((await ended).code !== 3) return;
    await until('the conductor is there', () => this.#conductors().length > 0);
    for (const pid of this.#conductors()) {
      process.kill(pid, 'SIGKILL');
      this.#killedConductors += 1;
      await until('the conductor is gone', () => identify(pid) === null);
    }
  }

  #log(): readonly string[] {
    return lines(this.file('.tutti/logs/conductor.log'));
  }

  #conductors(): readonly number[] {
    return this.#log().flatMap((line) => Number(/conductor (\d+) started/.exec(line)?.[1] ?? []));
  }

  async inbox(): Promise<readonly InboxQuestion[]> {
    const { stdout, stderr } = await tutti(this.path, 'inbox', '--json');
    if (stdout === '') throw new Error(stderr);
    return (JSON.parse(stdout) as { questions: readonly InboxQuestion[] }).questions;
  }

  /** Waits until so many questions are open. */
  async asked(count: number): Promise<readonly InboxQuestion[]> {
    for (let tries = 0; tries < 60; tries += 1) {
      const open = await this.inbox();
      if (open.length === count) return open;
      await pause(50);
    }
    throw new Error(`there are never ${count} open questions: ${JSON.stringify(await this.inbox())}`);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** How often the feed of the run tells of something. */
  async told(type: string): Promise<number> {
    const { stdout } = await tutti(this.path, 'events', 'r', '--json');
    return stdout.split('\n').filter((line) => line.includes(`"type":"${type}"`)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await tutti(this.path, 'stop', 'r');
    await tutti(this.path, 'session', 'kill', '--all', '--force');
    const told = (words: string): number => this.#log().filter((line) => line.includes(words)).length;
    await until(
      'the conductor goes',
      () => told(' started') === told('nothing left to do') + this.#killedConductors,
    );
    for (const { child } of this.#started) child.kill('SIGKILL');
    await until('nobody is left', () => processesOf(this.path).length === 0).finally(() => {
      for (const pid of processesOf(this.path)) process.kill(pid, 'SIGKILL');
    });
    this.#folder[Symbol.dispose]();
  }
}
