import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../../src/app/project.ts';
import { identify, isAlive, type ProcessIdentity } from '../../src/lib/process/identity.ts';
import { markerVariable } from '../../src/runtime/process-spec.ts';
import { write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A project in which agents live whose runs no record tells of. */
class LostRuns implements Disposable {
  readonly #folder = tempFolder();
  readonly path = this.#folder.path;
  readonly #agents: [ChildProcess, ProcessIdentity][] = [];

  constructor() {
    write(this.path, {
      'flow.yaml': 'steps:\n  - {id: a, command: ["true"]}\n',
      'tutti.yaml': 'driver: replay\n',
    });
  }

  /** An agent of this run works. */
  async begin(run: string): Promise<void> {
    const { mark } = pathsOf(this.path);
    const env = { ...process.env, [markerVariable]: `${mark}:${run}#a@1#1` };
    const agent = spawn('sleep', ['1000'], { env, detached: true, stdio: 'ignore' });
    const pid = agent.pid ?? 0;
    await until('the agent works', () => identify(pid) !== null);
    const found = identify(pid);
    if (found !== null) this.#agents.push([agent, found]);
  }

  alive(): number {
    return this.#agents.filter(([, agent]) => isAlive(agent)).length;
  }

  tutti(...args: readonly string[]): Promise<CliEnd> {
    return cli({ folder: this.path, stdin: '' }, ...args);
  }

  [Symbol.dispose](): void {
    for (const [child] of this.#agents) child.kill('SIGKILL');
    this.#folder[Symbol.dispose]();
  }
}

const named =
  'processes of run lost are alive, and nothing is recorded about it\n  → end them: tutti stop lost\n';

test('an agent of a run that no record tells of is named and ended where the project has no state', async () => {
  using project = new LostRuns();
  await project.begin('lost');
  for (const word of ['status', 'runs'])
    expect(await project.tutti(word)).toMatchObject({ code: 0, out: `no runs are recorded\n${named}` });
  expect(JSON.parse((await project.tutti('status', '--json')).out)).toEqual({
    run_id: null,
    unknown_runs: ['lost'],
  });
  expect(await project.tutti('recover')).toMatchObject({
    code: 64,
    err: expect.stringContaining(
      'but processes of run lost are alive\n  → end them: tutti stop --all',
    ) as string,
  });
  expect(await project.tutti('stop', 'other')).toMatchObject({ code: 64 });
  expect(project.alive()).toBe(1);
  expect(await project.tutti('stop')).toMatchObject({
    code: 0,
    out: 'run lost, about which nothing is recorded: 1 process ended\n',
  });
  expect(project.alive()).toBe(0);
  expect(existsSync(join(project.path, '.tutti'))).toBe(false);
  expect(await project.tutti('stop')).toMatchObject({ code: 0, out: 'no run is under way\n' });
});

test('an agent of a run that no record tells of is named beside the runs that are recorded, and stop ends it', async () => {
  using project = new LostRuns();
  expect((await project.tutti('run', 'flow.yaml', '--run-id', 'known')).code).toBe(0);
  expect((await project.tutti('status')).out).not.toContain('nothing is recorded');
  await project.begin('lost');
  await project.begin('lost.inside');
  for (const word of ['status', 'runs', 'recover'])
    expect((await project.tutti(word)).out, word).toMatch(
      new RegExp(`known[^]*${escaped(named)}|${escaped(named)}`),
    );
  expect(JSON.parse((await project.tutti('status', '--json')).out)).toMatchObject({ unknown_runs: ['lost'] });
  expect(await project.tutti('stop', 'lost', '--json')).toMatchObject({
    code: 0,
    out: expect.stringContaining('"run_id":"lost","processes":2') as string,
  });
  expect(project.alive()).toBe(0);
  expect((await project.tutti('status')).out).not.toContain('nothing is recorded');
});

test('stop without a name asks which where several runs live, and --all ends those that no record tells of', async () => {
  using project = new LostRuns();
  await project.begin('one');
  await project.begin('two');
  expect(await project.tutti('stop')).toMatchObject({
    code: 64,
    err: expect.stringContaining('2 runs are under way: one, two') as string,
  });
  expect(project.alive()).toBe(2);
  expect((await project.tutti('stop', '--all')).code).toBe(0);
  expect(project.alive()).toBe(0);
});

test('ending the agents of an unrecorded run stops no later run of that name', async () => {
  using project = new LostRuns();
  expect((await project.tutti('run', 'flow.yaml', '--run-id', 'first')).code).toBe(0);
  rmSync(join(project.path, '.tutti'), { recursive: true });
  await project.begin('again');
  expect((await project.tutti('stop', 'again')).code).toBe(0);
  expect(await project.tutti('run', 'flow.yaml', '--run-id', 'again')).toMatchObject({ code: 0 });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
