import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lines, processesOf } from '../e2e/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { fakeAgent, type FakeStep } from '../rig/fake-acp-agent.ts';
import { startTutti, type StartedProgram, tutti, writeProject } from '../rig/program.ts';
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

/** A project whose agent asks a person before it acts, advanced by the program itself in processes of its own. */
export class AskingProject implements AsyncDisposable {
  readonly #folder: TempFolder = tempFolder();
  readonly #started: StartedProgram[] = [];
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

  /** `tutti run` as run `r`, without a terminal. */
  run(): StartedProgram {
    const started = startTutti(this.path, ['run', 'flow.yaml', '--run-id', 'r']);
    this.#started.push(started);
    return started;
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
    const log = (): readonly string[] => lines(this.file('.tutti/logs/conductor.log'));
    const told = (words: string): number => log().filter((line) => line.includes(words)).length;
    await until('the conductor goes', () => told(' started') === told('nothing left to do'));
    for (const { child } of this.#started) child.kill('SIGKILL');
    await until('nobody is left', () => processesOf(this.path).length === 0).finally(() => {
      for (const pid of processesOf(this.path)) process.kill(pid, 'SIGKILL');
    });
    this.#folder[Symbol.dispose]();
  }
}
