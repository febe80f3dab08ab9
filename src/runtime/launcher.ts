import { existsSync } from 'node:fs';
import { MachineTrouble, tellsMachineTrouble } from '../lib/machine-trouble.ts';
import { programFile } from '../lib/package-files.ts';
import { system } from '../lib/process/system.ts';
import { declareLost, fileOf, files, markTail, recordEnd } from './attempt-files.ts';
import { settle } from './follow.ts';
import { writeRelaySpec } from './session-relay-spec.ts';
import { shellLauncher } from './launch-script.ts';
import type { CommandGroup } from './limits/group.ts';
import { guardArguments } from './limits/guard-script.ts';
import { type LimitPlan, planLimits, withoutGroup } from './limits/plan.ts';
import { nurseryOf } from './nursery.ts';
import { markerVariable, type ProcessSpec } from './process-spec.ts';
import { notStarted, type RecordedEnd } from './recorded-end.ts';
import { prepareState } from './session-state.ts';
import { startAndWait, type StartRequest } from './start-detached.ts';
import { untilEndWaits } from './waiting-end.ts';

export interface LaunchOptions {
  /** Where the shell launcher looks for processes; a test points it nowhere to stand for systems without it. */
  readonly procRoot?: string;
  /** Called when it runs, before its end. */
  readonly began?: () => void;
}

/**
 * Starts the process and follows it to its end. It outlives us: if we are killed, `adopt` goes on.
 * In one directory at most one process is ever started, however many callers ask.
 */
export async function launch(spec: ProcessSpec, options: LaunchOptions = {}): Promise<RecordedEnd | 'lost'> {
  if (!existsSync(fileOf(spec.dir, files.started))) {
    const problem = await startedAndEnded(spec, options);
    if (problem !== null && tellsMachineTrouble(problem)) throw new MachineTrouble(spec.dir, problem);
    // Nothing has run and nothing will: the exclusive file makes that sure before it is recorded.
    if (problem !== null && declareLost(spec.dir)) recordEnd(spec.dir, notStarted(problem));
  }
  return settle(spec.dir, spec.marker, { began: options.began });
}

/** What an earlier process may have started: followed if it lives, taken if it ended, else made impossible. */
export async function adopt(dir: string, marker: string, began?: () => void): Promise<RecordedEnd | 'lost'> {
  return settle(dir, marker, { began });
}

/** Resolves when the launcher has ended, or waits to record the end of its program; with a sentence when there was none. */
async function startedAndEnded(spec: ProcessSpec, options: LaunchOptions): Promise<string | null> {
  const looking = new AbortController();
  try {
    return await Promise.race([runLauncher(spec, options), untilEndWaits(spec.dir, looking)]);
  } finally {
    looking.abort();
  }
}

/** Resolves when the launcher has ended; with a sentence when there was none. */
async function runLauncher(
  spec: ProcessSpec,
  { procRoot = '/proc', began }: LaunchOptions,
): Promise<string | null> {
  try {
    const plan =
      spec.session === null ? withoutGroup(spec.limits) : planLimits(spec.dir, spec.marker, spec.limits);
    if (spec.session !== null) prepareState(spec.dir, { ...spec.session, limits: { ...plan.achieved } });
    const request = (group: CommandGroup): StartRequest => {
      const within = { ...plan, groups: group.dirs, groupName: group.name };
      return spec.launcher === 'host' ? relayRequest(spec, within) : shellRequest(spec, within, procRoot);
    };
    // Agents are few, and somebody wants to know when each begins; small commands come by the hundred.
    return await (spec.session === null
      ? nurseryOf(spec.marker).run({ ...spec, request })
      : startAndWait(request({ dirs: plan.groups, name: plan.groupName }), began));
  } catch (error) {
    return String(error);
  }
}

function shellRequest(spec: ProcessSpec, plan: LimitPlan, procRoot: string): StartRequest {
  const { timeoutMs, stdinFile, logFile } = spec;
  const plain =
    timeoutMs === null && spec.session === null && spec.limits === null && plan.groups.length === 0;
  const session = spec.session === null ? '-' : 'session';
  const tail = markTail(system().bootId, spec.marker);
  const guard = plain ? [] : guardArguments(plan, timeoutMs, logFile);
  const args = [...guard, fileOf(spec.dir, ''), tail, session, spec.cwd, procRoot, ...spec.argv];
  const { argv, env } = shellLauncher(plain ? 'plain' : 'guarded');
  const [program, ...first] = argv;
  return { program, args: [...first, ...args], env: { ...markedEnv(spec), ...env }, stdinFile, logFile };
}

function relayRequest(spec: ProcessSpec, plan: LimitPlan): StartRequest {
  writeRelaySpec(spec, plan);
  const args = [programFile('session-relay'), spec.dir];
  return { program: process.execPath, args, env: markedEnv(spec), stdinFile: null, logFile: null };
}

function markedEnv({ env, marker }: ProcessSpec): Readonly<Record<string, string>> {
  return { ...env, [markerVariable]: marker };
}
