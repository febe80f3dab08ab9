import { digest } from '../../lib/digest.ts';
import type { Json } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { type FailedTry, mayRetry } from '../../kernel/retry.ts';
import { sessionThroughLimits } from '../../kernel/through-limits.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import { closed } from '../../model/question.ts';
import type { TaskDiff, WrittenFiles } from '../../model/plan/execute-parts.ts';
import { verifierPrompt } from '../../model/plan/executor-prompt.ts';
import { failureOfTurn, type TurnOutcome } from '../../model/turn.ts';
import { turnSpec } from './turn-spec.ts';
import type { TaskJob } from './task-job.ts';
import { inTask, taskOperation } from './task-place.ts';

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

/** Turns of a verifier that ended without a verdict before a person is asked, however differently they ended. */
const silentMax = 2;

/** The executor's work is paid for and waits: only the verifier is tried again, and then a person says whether it is. */
async function askVerifier(
  ctx: Ctx,
  job: TaskJob,
  { prompt, about, diff, after }: Verifying,
): Promise<Failure | null> {
  const { place } = job;
  const { verifier } = place.input.agents;
  const begins = { prompt, turn: 1, continues: null, conversation: null };
  const asked = { 'sign-in': 0, 'no-verdict': 0 };
  let part = 'verify';
  let silences: readonly FailedTry[] = [];
  for (;;) {
    const key = keyOf(`${place.id}/${part}${repeatOf(silences.length)}`, about);
    const spec = { ...turnSpec(job, verifier, 'verifier', begins), result: 'required' as const };
    const turn = await sessionThroughLimits(ctx, key, spec);
    await restoreJudged(ctx, job, diff, key);
    const failed = failureOfTurn(turn);
    if (failed === null) return null;
    if (turn.result !== null) return refused(turn);
    // Without a result there is no verdict: the verifier's trouble is not the executor's.
    silences = [...silences, { failure: failed, progress: digest(about) }];
    if (mayRetry(silences, silentMax).verdict === 'retry') continue;
    const trouble = failed.reason === 'sign-in' ? 'sign-in' : 'no-verdict';
    asked[trouble] += 1;
    const round = asked[trouble];
    if ((await askAboutVerifier(ctx, job, failed, { trouble, after, round })) === 'fail')
      return noVerdict(failed);
    part = trouble === 'sign-in' ? `verify-signed-in-${round}` : `verify-asked-${round}`;
    silences = [];
  }
}

function repeatOf(silences: number): string {
  return silences === 0 ? '' : silences === 1 ? '-again' : `-again-${silences}`;
}

/** A verifier that wrote to the workspace, against its prompt, does not spoil the executor's work. */
async function restoreJudged(ctx: Ctx, job: TaskJob, diff: TaskDiff | null, turn: string): Promise<void> {
  if (diff?.tree === undefined) return;
  const { place, workspace } = job;
  const args = { ...inTask(place), target: place.input.target, workspace, tree: diff.tree };
  const { restored } = await taskOperation(ctx, place, 'task-restore', args, { of: turn });
  if (restored.length > 0)
    job.notes.push(`the verifier changed files, which were restored: ${restored.join(', ')}`);
}

function noVerdict({ message }: Failure): Failure {
  return failure('no-result', `the verifier gave no verdict: ${message}`, { outcome: 'NEEDS_ESCALATION' });
}

interface VerifierTrouble {
  readonly trouble: 'sign-in' | 'no-verdict';
  readonly after: string;
  readonly round: number;
}

/**
 * What is wrong with a verifier only a person can fix or wait for. The work stays in its workspace, so that it is not paid
 * for again. It is never accepted unverified here.
 */
async function askAboutVerifier(
  ctx: Ctx,
  { place }: TaskJob,
  { message }: Failure,
  { trouble, after, round }: VerifierTrouble,
): Promise<'again' | 'fail'> {
  const { id, identity, input } = place;
  const [what, when] =
    trouble === 'sign-in' ? ['cannot sign in', ' after you fixed the sign-in'] : ['gave no verdict', ''];
  const { text } = await ctx.ask(keyOf(`${id}/${trouble}-${round}`, { identity, after }), {
    text: `${id}: the verifier ${what}: ${message}. The work is kept. Verify it again${when}, or fail the task?`,
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
