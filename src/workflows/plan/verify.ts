import type { Ctx } from '../../kernel/ctx.ts';
import { sessionThroughLimits } from '../../kernel/through-limits.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import type { TaskDiff, WrittenFiles } from '../../model/plan/execute-parts.ts';
import { verifierPrompt } from '../../model/plan/executor-prompt.ts';
import { failureOfTurn, type TurnOutcome } from '../../model/turn.ts';
import { turnSpec } from './turn-spec.ts';
import type { TaskJob } from './task-job.ts';
import { hostPart } from './task-place.ts';

const tries = ['verify', 'verify-again'] as const;

/** Somebody who did not do the work, in a conversation of its own (P2). What it finds heals the executor. */
export async function verifyWork(
  ctx: Ctx,
  job: TaskJob,
  { files }: WrittenFiles,
  after: string,
): Promise<Failure | null> {
  const { place, bundle, where, workspace } = job;
  const { verifier } = place.input.agents;
  const diff = await hostPart<TaskDiff | null>(ctx, place, {
    part: 'diff',
    name: 'task-diff',
    args: { target: place.input.target, workspace, paths: Object.values(files).flat() },
    of: after,
  });
  const prompt = verifierPrompt(bundle, where, files, diff);
  const begins = { prompt, turn: 1, continues: null, conversation: null };
  let last: Failure | null = null;
  for (const part of tries) {
    const key = keyOf(`${place.id}/${part}`, { identity: place.identity, after });
    const spec = { ...turnSpec(job, verifier, 'verifier', begins), result: 'required' as const };
    const turn = await sessionThroughLimits(ctx, key, spec);
    last = failureOfTurn(turn);
    if (last === null) return null;
    // Without a result there is no verdict: the verifier's trouble is not the executor's.
    if (turn.result !== null) return refused(turn);
  }
  const message = `the verifier gave no verdict: ${last?.message ?? ''}`;
  return failure('no-result', message, { outcome: 'NEEDS_ESCALATION' });
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
