import { digest } from '../../lib/digest.ts';
import type { Json } from '../../lib/json.ts';
import { agentVerdict } from '../../kernel/agent-verdict.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import type { Failure } from '../../model/failure.ts';
import type { TaskDiff, WrittenFiles } from '../../model/plan/execute-parts.ts';
import { describeForeignChange, describeVerifierChange } from '../../model/plan/foreign-change.ts';
import { verifierPrompt } from '../../model/plan/executor-prompt.ts';
import { turnSpec } from './turn-spec.ts';
import type { TaskJob } from './task-job.ts';
import { inTask, taskOperation } from './task-in-run.ts';

/** Somebody who did not do the work, in a conversation of its own (P2). What it finds heals the executor. */
export async function verifyWork(
  ctx: Ctx,
  job: TaskJob,
  { files }: WrittenFiles,
  after: string,
): Promise<Failure | null> {
  const { place, bundle, where, workspace } = job;
  const paths = Object.values(files).flat();
  const args = { ...inTask(place), target: place.input.target, workspace, paths };
  const diff = await taskOperation(ctx, place, 'task-diff', args, { of: after });
  const prompt = verifierPrompt(bundle, where, files, diff);
  const about = judgedWork(place.identity, diff, after);
  const known = job.verdicts.get(digest(about)) ?? askVerifier(ctx, job, { prompt, about, diff, after });
  job.verdicts.set(digest(about), known);
  return known;
}

/** What a verifier judges, as its key says it: the same files and the same change have one verdict. */
function judgedWork(identity: string, diff: TaskDiff | null, after: string): Json {
  if (diff?.tree === undefined) return { identity, after };
  return { identity, tree: diff.tree, diff: digest(diff.text) };
}

interface Verifying {
  readonly prompt: string;
  readonly about: Json;
  readonly diff: TaskDiff | null;
  readonly after: string;
}

/** Turns of a verifier that ended without a verdict before a person is asked. */
const rounds = 2;

function askVerifier(
  ctx: Ctx,
  job: TaskJob,
  { prompt, about, diff, after }: Verifying,
): Promise<Failure | null> {
  const { id, identity, input } = job.place;
  return agentVerdict(ctx, {
    id,
    noun: 'task',
    about,
    asked: { identity, after },
    rounds,
    prompt,
    spec: (turn) => turnSpec(job, input.agents.verifier, 'verifier', turn),
    prepare: (turn) => restoreBefore(ctx, job, diff, turn),
    settle: (turn) => restoreJudged(ctx, job, diff, turn),
  });
}

/** The verifier judges the work that was looked at; what another process changed since is not blamed on it. */
async function restoreBefore(ctx: Ctx, job: TaskJob, diff: TaskDiff | null, turn: string): Promise<void> {
  if (diff?.tree === undefined) return;
  const { place, workspace } = job;
  const args = { ...inTask(place), target: place.input.target, workspace, tree: diff.tree, begins: turn };
  const { restored, before } = await taskOperation(ctx, place, 'task-restore', args, {
    as: 'restore-before',
    of: turn,
  });
  if (before !== undefined) job.notes.push(describeForeignChange(restored, before.ref));
}

/**
 * A verifier that wrote to the workspace, against its prompt, does not spoil the executor's work. Returns the files of that work
 * that it changed: its verdict was about others.
 */
async function restoreJudged(
  ctx: Ctx,
  job: TaskJob,
  diff: TaskDiff | null,
  turn: string,
): Promise<readonly string[]> {
  if (diff?.tree === undefined) return [];
  const { place, workspace } = job;
  const args = { ...inTask(place), target: place.input.target, workspace, tree: diff.tree };
  const { restored, judged = [] } = await taskOperation(ctx, place, 'task-restore', args, { of: turn });
  if (restored.length > 0) job.notes.push(describeVerifierChange(restored));
  return judged;
}
