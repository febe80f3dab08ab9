import { digest } from '../../lib/digest.ts';
import type { Json } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { sessionThroughLimits } from '../../kernel/through-limits.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import { closed } from '../../model/question.ts';
import type { RestoredFiles, TaskDiff, WrittenFiles } from '../../model/plan/execute-parts.ts';
import { verifierPrompt } from '../../model/plan/executor-prompt.ts';
import { failureOfTurn, type TurnOutcome } from '../../model/turn.ts';
import { turnSpec } from './turn-spec.ts';
import type { TaskJob } from './task-job.ts';
import { hostPart } from './task-place.ts';

/** Somebody who did not do the work, in a conversation of its own (P2). What it finds heals the executor. */
export async function verifyWork(
  ctx: Ctx,
  job: TaskJob,
  { files }: WrittenFiles,
  after: string,
): Promise<Failure | null> {
  const { place, bundle, where, workspace } = job;
  const diff = await hostPart<TaskDiff | null>(ctx, place, {
    part: 'diff',
    name: 'task-diff',
    args: { target: place.input.target, workspace, paths: Object.values(files).flat() },
    of: after,
  });
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

async function askVerifier(
  ctx: Ctx,
  job: TaskJob,
  { prompt, about, diff, after }: Verifying,
): Promise<Failure | null> {
  const { place } = job;
  const { verifier } = place.input.agents;
  const begins = { prompt, turn: 1, continues: null, conversation: null };
  let part = 'verify';
  let silences = 0;
  let signIns = 0;
  for (;;) {
    const key = keyOf(`${place.id}/${part}`, about);
    const spec = { ...turnSpec(job, verifier, 'verifier', begins), result: 'required' as const };
    const turn = await sessionThroughLimits(ctx, key, spec);
    await restoreJudged(ctx, job, diff, key);
    const failed = failureOfTurn(turn);
    if (failed === null) return null;
    if (turn.result !== null) return refused(turn);
    // Without a result there is no verdict: the verifier's trouble is not the executor's.
    if (failed.reason === 'sign-in') {
      signIns += 1;
      if ((await askAboutSignIn(ctx, job, failed, { after, round: signIns })) === 'fail')
        return noVerdict(failed);
      part = `verify-signed-in-${signIns}`;
    } else {
      silences += 1;
      if (silences > 1) return noVerdict(failed);
      part = 'verify-again';
    }
  }
}

/** A verifier that wrote to the workspace, against its prompt, does not spoil the executor's work. */
async function restoreJudged(ctx: Ctx, job: TaskJob, diff: TaskDiff | null, turn: string): Promise<void> {
  if (diff?.tree === undefined) return;
  const { place, workspace } = job;
  const { restored } = await hostPart<RestoredFiles>(ctx, place, {
    part: 'restore',
    name: 'task-restore',
    args: { target: place.input.target, workspace, tree: diff.tree },
    of: turn,
  });
  if (restored.length > 0)
    job.notes.push(`the verifier changed files, which were restored: ${restored.join(', ')}`);
}

function noVerdict({ message }: Failure): Failure {
  return failure('no-result', `the verifier gave no verdict: ${message}`, { outcome: 'NEEDS_ESCALATION' });
}

/** Only a person can fix a sign-in. The work waits for it in its workspace, so that it is not paid for again. */
async function askAboutSignIn(
  ctx: Ctx,
  { place }: TaskJob,
  { message }: Failure,
  { after, round }: { readonly after: string; readonly round: number },
): Promise<'again' | 'fail'> {
  const { id, identity, input } = place;
  const { text } = await ctx.ask(keyOf(`${id}/sign-in-${round}`, { identity, after }), {
    text: `${id}: the verifier cannot sign in: ${message}. The work is kept. Verify it again after you fixed the sign-in, or fail the task?`,
    options: ['again', 'fail'],
    closed,
    step: id,
    agent: input.agents.verifier.name,
  });
  return text.trim().toLowerCase() === 'again' ? 'again' : 'fail';
}

function refused({ result }: TurnOutcome): Failure {
  const findings = (result?.notes ?? []).map((note) =>
    typeof note === 'string' ? note : JSON.stringify(note),
  );
  const summary = result?.summary ?? '';
  return failure('gate', `the verifier does not accept it: ${summary}`, {
    evidence: { category: 'validation', output: [summary, ...findings].join('\n') },
  });
}
