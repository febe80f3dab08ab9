import { slug } from '../../lib/ids.ts';
import { refinementFile, signalStatus } from '../../model/compose/run-files.ts';
import { exitCodeOf } from '../../model/outcome.ts';
import type { Outline, RunSignal } from '../../model/outline.ts';
import { renderSignal, signalFile } from '../../model/signal.ts';
import type { Session } from '../../model/session.ts';
import { instant, statusJson, type RunStatus } from '../status/run-status.ts';
import type { StepStatus } from '../status/step-status.ts';
import { executionReport } from './execution-report.ts';

/** A run's files, by name, with seed A's names and fields. Pure: the same facts give the same bytes. */
export function viewsOf(
  status: RunStatus,
  sessions: readonly Session[],
  outline: Outline = {},
): ReadonlyMap<string, string> {
  const { run } = status;
  const views = new Map([
    ['.trace', `${run.traceId}\n`],
    ['state.json', `${JSON.stringify(statusJson(status), null, 2)}\n`],
    ['.session-state', sessionState(status)],
    ['manifest.json', manifest(status)],
    ['execution-report.md', executionReport(status, sessions)],
  ]);
  const files =
    (run.state.at === 'ended' ? outline.files?.(run.state.value) : null) ?? new Map<string, string>();
  for (const step of status.steps) {
    const signal = signalOf(status, step, files);
    if (signal !== null) views.set(signal.name, signal.content);
  }
  if (run.endedAt !== null) {
    const stamp = (instant(run.endedAt) ?? '').replaceAll(/[-:]/g, '').slice(0, 15);
    views.set(`checkpoints/cp-${stamp}.json`, checkpoint(status));
  }
  if (run.state.at === 'ended') {
    for (const [name, content] of files) views.set(name, content);
    const told = outline.signal?.(run.state.value) ?? null;
    if (told !== null) views.set(...signalOfRun(status, told, files));
  }
  return views;
}

/** Seed A §9: the session state, in YAML that any reader takes. */
function sessionState({ run, state, steps, budget }: RunStatus): string {
  const done = steps.filter((step) => step.state === 'done').length;
  const lines = {
    state: state === 'ended' ? 'COMPLETE' : state.toUpperCase(),
    current_phase: done,
    total_phases: steps.length,
    started_at: instant(run.startedAt),
    depth_used: run.depth,
    depth_max: budget?.limits.depth ?? null,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${String(value)}\n`)
    .join('');
}

/** Seed A §3: the stage manifest. */
function manifest({ run, steps, outcome }: RunStatus): string {
  const stages = steps.map(({ id, state, outcome: end, message }) => ({
    name: id,
    status: state === 'done' ? 'success' : state === 'failed' ? 'failure' : state,
    exit_code: end === null ? null : exitCodeOf(end),
    ...(message === null ? {} : { error: message }),
  }));
  const summary = {
    total: steps.length,
    passed: steps.filter(({ state }) => state === 'done').length,
    failed: steps.filter(({ state }) => state === 'failed').length,
    exit_code: outcome === null ? null : exitCodeOf(outcome),
  };
  return `${JSON.stringify({ orchestrator: run.workflow, stages, summary }, null, 2)}\n`;
}

/** Seed A §5: one signal per ended agent step. Agents wait for agents by them; a thousand commands need none. */
function signalOf(
  { run }: RunStatus,
  step: StepStatus,
  files: ReadonlyMap<string, string>,
): { readonly name: string; readonly content: string } | null {
  if (step.sessionId === null || (step.state !== 'done' && step.state !== 'failed')) return null;
  const status = step.state === 'done' ? 'success' : signalStatus(step.outcome ?? 'FAILURE');
  const signal = {
    layer: 'exec',
    name: step.id,
    ...pathInRun(run.id, refinementFile(step.id), files),
    status,
    createdAt: instant(step.startedAt),
    completedAt: instant(step.endedAt),
    traceId: run.traceId,
    elapsedSeconds: (step.tookMs ?? 0) / 1000,
  } as const;
  return { name: signalFile(signal, slug(step.id, 64)), content: renderSignal(signal) };
}

/** Path and size of a file that the family adds to the directory of a run; empty where it adds none of that name. */
function pathInRun(
  runId: string,
  name: string,
  files: ReadonlyMap<string, string>,
): { readonly path: string; readonly size: number } {
  const content = files.get(name);
  if (content === undefined) return { path: '', size: 0 };
  return { path: `.tutti/runs/${runId}/${name}`, size: Buffer.byteLength(content) };
}

/** The signal of the run itself, with the size of the file that it names. */
function signalOfRun(
  { run, tookMs }: RunStatus,
  { path, ...told }: RunSignal,
  files: ReadonlyMap<string, string>,
): readonly [string, string] {
  const signal = {
    ...told,
    ...pathInRun(run.id, path, files),
    createdAt: instant(run.startedAt),
    completedAt: instant(run.endedAt),
    traceId: run.traceId,
    elapsedSeconds: tookMs / 1000,
  };
  return [signalFile(signal, slug(told.name, 64)), renderSignal(signal)];
}

/** Seed A §9: what a reader needs to see where a run stood. Resuming never reads it. */
function checkpoint({ run, steps, budget }: RunStatus): string {
  const completed = steps
    .filter(({ state }) => state === 'done' || state === 'failed')
    .map(({ id, outcome }) => ({ name: id, exit_code: outcome === null ? null : exitCodeOf(outcome) }));
  const body = {
    checkpoint_version: 1,
    created_at: instant(run.endedAt),
    trace_id: run.traceId,
    completed_phases: completed,
    pending_phases: steps.filter(({ state }) => !['done', 'failed'].includes(state)).map(({ id }) => id),
    depth_used: run.depth,
    depth_max: budget?.limits.depth ?? null,
    environment: { AGENTIC_SPAWN_DEPTH: String(run.depth) },
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}
