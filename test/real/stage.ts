import { type ResultContract, withContract } from '../../src/model/result-contract.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keepHandedOver } from '../../src/app/host/handed-over.ts';
import { logLines } from '../../src/app/host/log-file.ts';
import { readSessionResult } from '../../src/app/host/session-result.ts';
import { SignInWatch } from '../../src/app/host/sign-in-watch.ts';
import { workspaceTrust } from '../../src/app/trust/workspace-trust.ts';
import { assembleTurn } from '../../src/drivers/assemble-turn.ts';
import { driverOf } from '../../src/drivers/registry.ts';
import type { DriverConfig } from '../../src/model/config.ts';
import type { DriverEvent, ProcessEnd } from '../../src/model/driver.ts';
import type { ResourceLimits } from '../../src/model/limits.ts';
import type { SessionSpec, TurnOutcome } from '../../src/model/turn.ts';
import { childEnvironment } from '../../src/runtime/environment.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { launch } from '../../src/runtime/launcher.ts';
import type { Cli } from './install.ts';
import { agentOf, cellVariable, type MarkedProcess, marked } from './marked.ts';
import { plainSpec } from '../rig/session-spec.ts';

/** One turn to run, through the same parts as a session of a project. */
export interface TurnRequest {
  readonly driver: DriverConfig;
  readonly prompt: string;
  /** What the CLI must see besides the usual: its key, where the stand-in for the model is. */
  readonly env: Readonly<Record<string, string>>;
  readonly spec?: Partial<SessionSpec>;
  /** Default `s1`, `s2`, …: what a later turn's `continues` names. */
  readonly sessionId?: string;
  /** Sent to the agent's own process, once one of the turn's processes has this in its arguments. */
  readonly interrupt?: { readonly signal: NodeJS.Signals; readonly whenRuns: string };
}

export interface CellTurn {
  readonly turn: TurnOutcome;
  readonly end: ProcessEnd;
  readonly events: readonly DriverEvent[];
  /** Everything it wrote to its output. */
  readonly log: readonly string[];
  /** What is in the workspace now, relative, sorted. */
  readonly files: readonly string[];
  /** Processes that were still there two seconds after its end. They have been ended since. */
  readonly survivors: readonly MarkedProcess[];
  readonly sessionDir: string;
  readonly ms: number;
}

/** A place for the turns of one cell: nothing of the real person is seen there. */
export interface Stage {
  readonly cli: Cli;
  readonly program: string;
  readonly version: string;
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  run(request: TurnRequest): Promise<CellTurn>;
}

const turnLimitMs = 60_000;
const settleMs = 2000;

/** Those of a project that says nothing. */
const limits: ResourceLimits = {
  memoryBytes: null,
  processes: 4096,
  cpuPercent: null,
  fileBytes: null,
  diskWarnBytes: 100 * 1024 ** 2,
  diskFailBytes: 500 * 1024 ** 2,
  stallMs: 600_000,
};

export function openStage(cli: Cli, program: string, version: string, folder: string): Stage {
  const [workspace, home, tmp] = [join(folder, 'work'), join(folder, 'home'), join(folder, 'tmp')];
  for (const path of [workspace, home, tmp]) mkdirSync(path);
  const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const base = { PATH: path, HOME: home, TMPDIR: tmp, LANG: 'C.UTF-8', TERM: 'dumb' };
  let turns = 0;
  return {
    cli,
    program,
    version,
    folder,
    workspace,
    home,
    run: async (request) => {
      turns += 1;
      return runTurn({ base, folder, workspace, program }, { sessionId: `s${turns}`, ...request });
    },
  };
}

interface Place {
  readonly base: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly workspace: string;
  readonly program: string;
}

type Named = TurnRequest & { readonly sessionId: string };

async function runTurn(place: Place, request: Named): Promise<CellTurn> {
  const { folder, workspace } = place;
  const { sessionId } = request;
  const sessionDir = join(folder, 'sessions', sessionId);
  mkdirSync(sessionDir, { recursive: true, mode: 0o700 });
  const spec = specOf(request, workspace);
  const config = { drivers: { [spec.driver]: request.driver } };
  const driver = driverOf(spec.driver, config, {
    projectDir: folder,
    searchPath: place.base['PATH'] ?? '',
  });
  if (!driver.ok) throw new Error(driver.error.message);
  const missing = driver.value.missing();
  if (missing !== null) throw new Error(missing);
  // By the record in the home of the stage.
  const trust = workspaceTrust(spec.workspace, { env: place.base, paths: { root: folder, mark: 'm' } });
  const schema = driver.value.bindsResult?.(spec) ?? null;
  const contract: ResultContract =
    schema === null ? { by: 'file', path: join(sessionDir, 'result.json') } : { by: 'structured', schema };
  const plan = driver.value.plan(withContract(spec, contract, 'remembers'), {
    sessionId,
    sessionDir,
    contract,
    projectDir: folder,
    trust,
  });
  const stdinFile = join(sessionDir, 'stdin');
  writeFileSync(stdinFile, plan.stdin, { mode: 0o600 });
  const mark = randomUUID();
  const attemptId = `real:${mark}#turn#1`;
  const env = environment(place, request, { spec, sessionDir, attemptId, extra: plan.env });
  const logFile = join(sessionDir, 'output.log');
  const began = performance.now();
  const ended = new AbortController();
  const launched = launch({
    dir: sessionDir,
    marker: attemptId,
    argv: plan.argv,
    cwd: spec.workspace,
    env: { ...env, [cellVariable]: mark },
    stdinFile,
    logFile,
    timeoutMs: spec.timeoutMs,
    launcher: plan.launcher,
    limits,
    session: { session_id: sessionId },
  }).finally(() => {
    ended.abort();
  });
  const newReader = () => driver.value.reader();
  await using _signIn = new SignInWatch({
    dir: sessionDir,
    marker: attemptId,
    newReader,
    clock: realClock(),
  });
  const [end] = await Promise.all([launched, interrupted(request, mark, place.program, ended.signal)]);
  const ms = Math.round(performance.now() - began);
  const survivors = await survivorsOf(mark);
  if (end === 'lost') throw new Error('the turn was lost');
  const log = [...logLines(logFile)];
  const reading = driver.value.reader();
  keepHandedOver(sessionDir, driver.value.reader());
  const turn = assembleTurn({
    spec,
    sessionId,
    end,
    lines: log,
    reader: driver.value.reader(),
    signInAdvice: driver.value.signInAdvice,
    result: readSessionResult(join(sessionDir, 'result.json'), spec, contract),
  });
  const events = log.flatMap((line) => reading.line(line));
  return { turn, end, events, log, files: filesIn(workspace), survivors, sessionDir, ms };
}

function specOf({ driver, prompt, spec = {} }: TurnRequest, workspace: string): SessionSpec {
  return {
    ...plainSpec,
    driver: driver.type,
    systemPrompt: 'You are the agent of a test: BLUE HERON.',
    prompt,
    workspace,
    timeoutMs: turnLimitMs,
    ...spec,
  };
}

interface Seen {
  readonly spec: SessionSpec;
  readonly sessionDir: string;
  readonly attemptId: string;
  readonly extra: Readonly<Record<string, string>>;
}

function environment(
  { base, folder, workspace }: Place,
  { env, sessionId }: Named,
  { spec, sessionDir, attemptId, extra }: Seen,
): Record<string, string> {
  const { agent, tier, turn } = spec;
  const result = join(sessionDir, 'result.json');
  return childEnvironment({
    parent: { ...base, ...env },
    names: Object.keys(env),
    extra,
    place: {
      attemptId,
      runId: 'real',
      step: 'turn',
      attempt: 1,
      project: folder,
      workspace,
      depth: 1,
      maxDepth: 5,
      traceId: 'real',
      session: { id: sessionId, dir: sessionDir, turn, agent, tier, result },
    },
  });
}

async function interrupted(
  { interrupt }: TurnRequest,
  mark: string,
  program: string,
  ended: AbortSignal,
): Promise<void> {
  if (interrupt === undefined) return;
  while (!ended.aborted) {
    const processes = marked(mark);
    const agent = agentOf(processes, program);
    const runs = processes.some(
      ({ argv }) => !argv.includes('tutti-launch') && argv.join(' ').includes(interrupt.whenRuns),
    );
    if (agent !== null && runs) {
      process.kill(agent.pid, interrupt.signal);
      return;
    }
    await pause(50);
  }
  throw new Error(`the turn ended before it ran ${interrupt.whenRuns}`);
}

async function survivorsOf(mark: string): Promise<readonly MarkedProcess[]> {
  const from = performance.now();
  // A launcher that has recorded the end is about to end itself.
  while (marked(mark).length > 0 && performance.now() - from < settleMs) await pause(20);
  const left = marked(mark);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return left;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}
