import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { logLines } from '../src/app/host/log-file.ts';
import { assembleTurn } from '../src/drivers/assemble-turn.ts';
import { driverOf } from '../src/drivers/registry.ts';
import type { AgentDriver, LaunchPlan } from '../src/model/driver.ts';
import { type SessionSpec, workflowHandoff } from '../src/model/turn.ts';
import { launch } from '../src/runtime/launcher.ts';
import { claudeHome } from '../test/real/claude-home.ts';
import { installed } from '../test/real/install.ts';
import type { Bench } from './bench.ts';
import { interleave } from './interleave.ts';
import { notMeasured, resultOf, type Result, type Sides } from './result.ts';
import { median, spreadOf } from './spread.ts';
import { noTrust } from '../test/rig/trust.ts';

const firstByte: Sides = {
  bench: 'driver',
  name: 'first byte',
  subject: 'from launching a session to the first byte of its log, real claude',
  floor: 'from spawning the same command by hand; the figure is the difference in ms',
  unit: 'ms',
  bar: 50,
};
const cpu: Sides = {
  bench: 'driver',
  name: 'cpu',
  subject: "this process's CPU time to launch, follow and read a turn of 25 tool calls, real claude",
  floor: 'CPU time of the CLI in that turn, its tools included',
  unit: 'ms',
  bar: 0.05,
};

/** What Tutti adds to a real agent CLI; the model is a stand-in on the loopback. Not measured where it cannot be had. */
export const driverBench: Bench = {
  name: 'driver',
  about: 'what advancing the real claude adds to it: time to the first byte, CPU time of a turn',
  async run({ folder, rounds, progress }) {
    const cli = await installed('claude');
    if (!cli.ok) return [firstByte, cpu].map((sides) => notMeasured(sides, cli.why));
    const workspace = join(folder, 'work');
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'read.txt'), 'a line\n'.repeat(100));
    const model = spawn(process.execPath, [programOf('model-process.ts'), workspace], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const url = await new Promise<string>((resolve) => {
        model.stdout.once('data', (text: Buffer) => {
          resolve(text.toString().trim());
        });
      });
      const env = claudeHome(folder, workspace, { url });
      const stage = new Stage(cli.program, folder, workspace, env);
      const bytes = await interleave(
        { subject: () => stage.throughTutti('first'), floor: () => stage.byHand('first') },
        rounds,
        progress,
      );
      const times = await interleave(
        { subject: () => stage.throughTutti('cpu'), floor: () => stage.byHand('cpu') },
        rounds,
        progress,
      );
      return [differenceOf(bytes), resultOf(cpu, times)];
    } finally {
      model.kill('SIGKILL');
    }
  },
};

type Measure = 'first' | 'cpu';

class Stage {
  readonly folder: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #driver: AgentDriver;
  #turns = 0;

  constructor(program: string, folder: string, workspace: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.workspace = workspace;
    this.env = env;
    const claude = { type: 'claude', program, allowedTools: ['Read'], models: {} } as const;
    const driver = driverOf('claude', { drivers: { claude } }, { projectDir: folder, searchPath: '' });
    if (!driver.ok) throw new Error(driver.error.message);
    this.#driver = driver.value;
  }

  async throughTutti(what: Measure): Promise<number> {
    const { plan, dir, stdinFile, spec } = this.#prepare();
    const logFile = join(dir, 'output.log');
    const before = process.cpuUsage();
    const seen = what === 'first' ? firstByteOf(logFile) : null;
    const end = await launch({
      dir,
      marker: `bench:${dir}`,
      argv: plan.argv,
      cwd: this.workspace,
      env: this.env,
      stdinFile,
      logFile,
      timeoutMs: spec.timeoutMs,
      launcher: plan.launcher,
      limits: null,
      session: { session_id: spec.agent },
    });
    if (end === 'lost') throw new Error('the turn was lost');
    const reader = this.#driver.reader();
    const turn = assembleTurn({
      spec,
      sessionId: 's',
      end,
      lines: logLines(logFile),
      reader,
      result: { ok: true, value: null },
    });
    if (turn.outcome !== 'SUCCESS' || turn.toolCalls !== 25) throw new Error(JSON.stringify(turn));
    if (seen !== null) return seen;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  async byHand(what: Measure): Promise<number> {
    const { plan, dir, stdinFile } = this.#prepare();
    const logFile = join(dir, 'output.log');
    if (what === 'cpu') return this.#cpuByHand(plan, stdinFile, logFile);
    const [input, output] = [openSync(stdinFile, 'r'), openSync(logFile, 'a')];
    const [program, ...args] = plan.argv;
    const seen = firstByteOf(logFile);
    const child = spawn(program, args, {
      cwd: this.workspace,
      env: this.env,
      stdio: [input, output, output],
      detached: true,
    });
    closeSync(input);
    closeSync(output);
    await once(child, 'exit');
    return seen;
  }

  /** A shell tells what its children took. */
  #cpuByHand(plan: LaunchPlan, stdinFile: string, logFile: string): number {
    const script = 'in=$1 out=$2; shift 2; "$@" <"$in" >"$out" 2>&1; times';
    const { stdout } = spawnSync('sh', ['-c', script, 'sh', stdinFile, logFile, ...plan.argv], {
      cwd: this.workspace,
      env: this.env,
      encoding: 'utf8',
    });
    const children = stdout.trim().split('\n').at(-1) ?? '';
    return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
      0,
    );
  }

  #prepare(): { plan: LaunchPlan; dir: string; stdinFile: string; spec: SessionSpec } {
    this.#turns += 1;
    const sessionId = `turn-${this.#turns}`;
    const dir = join(this.folder, sessionId);
    mkdirSync(dir, { mode: 0o700 });
    const spec: SessionSpec = {
      agent: 'coder',
      driver: 'claude',
      tier: 'medium',
      systemPrompt: 'You read.',
      prompt: 'Read it.',
      workspace: this.workspace,
      turn: 1,
      continues: null,
      conversation: null,
      result: 'optional',
      timeoutMs: 120_000,
      priority: 0,
      handoff: workflowHandoff,
    };
    const plan = this.#driver.plan(spec, {
      sessionId,
      sessionDir: dir,
      contract: { by: 'file', path: join(dir, 'result.json') },
      projectDir: this.folder,
      trust: noTrust,
    });
    const stdinFile = join(dir, 'stdin');
    writeFileSync(stdinFile, plan.stdin);
    return { plan, dir, stdinFile, spec };
  }
}

/** Looks at the file once a millisecond: the same for both sides. */
function firstByteOf(path: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const looking = setInterval(() => {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
      clearInterval(looking);
      resolve(performance.now() - start);
    }, 1);
  });
}

function differenceOf({ subjects, floors }: Parameters<typeof resultOf>[1]): Result {
  const figure = median(subjects.map((subject, round) => subject - (floors[round] ?? Number.NaN)));
  return {
    ...firstByte,
    rounds: subjects.length,
    subjectSpread: spreadOf(subjects),
    floorSpread: spreadOf(floors),
    ratio: null,
    figure,
    verdict: figure <= firstByte.bar ? 'met' : 'missed',
    why: null,
  };
}

function programOf(name: string): string {
  return join(dirname(fileURLToPath(import.meta.url)), name);
}
