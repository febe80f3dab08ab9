import type { WorkEnd } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { plain } from '../../lib/json.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import type { BroughtUp, SealEnd } from '../../model/plan/execute-parts.ts';
import { rebasePrompt } from '../../model/plan/executor-prompt.ts';
import type { LandEnd } from '../../model/plan/workspace.ts';
import { executorTurns } from './executor-turns.ts';
import type { TaskJob } from './task-job.ts';
import { hostPart } from './task-place.ts';

/**
 * Puts work that stands onto the integration branch. When others were there first, the executor brings its work onto
 * theirs, the gates judge it again, and it lands then; the second time a person is asked. Null: it has landed.
 */
export async function landWork(ctx: Ctx, job: TaskJob, stands: WorkEnd): Promise<Failure | null> {
  let end = stands;
  for (let round = 1; ; round += 1) {
    const landed = await landOnce(ctx, job, end.key);
    if (landed === null) return null;
    if ('reason' in landed) return landed;
    if (round > 1 && !(await tryAgain(ctx, job, landed, end.key))) return notLanded(landed);
    const { workspace, conflicts, prepared } = await hostPart<BroughtUp>(ctx, job.place, {
      part: `bring-${round}`,
      name: 'bring-up-to-date',
      args: { target: job.place.input.target, workspace: job.workspace, prepared: job.prepared },
      of: end.key,
    });
    job.workspace = workspace;
    job.prepared = prepared;
    job.notes.push(`${sentenceOf(landed)}; it was brought up to date`);
    const reason = landed.at === 'conflict' ? { at: landed.at, files: conflicts } : landed;
    const { sessionId, conversation } = end.ended;
    end = await executorTurns(ctx, job, {
      id: `${job.place.id}/rebase-${round}`,
      words: { after: end.key, reason: reason.at },
      prompt: rebasePrompt(job.prompt, reason),
      from: { turn: round + 1, continues: sessionId, conversation },
    });
    if (end.failure !== null) return end.failure;
  }
}

type NotLanded = Exclude<LandEnd, { at: 'landed' }>;

async function landOnce(ctx: Ctx, job: TaskJob, after: string): Promise<NotLanded | Failure | null> {
  const { place, workspace, written } = job;
  const { target, agents, acceptanceTimeoutMs } = place.input;
  const seal = await hostPart<SealEnd>(ctx, place, {
    part: 'seal',
    name: 'seal',
    args: { target, workspace, written, name: place.entry.task.name, agent: agents.executor.name },
    of: after,
  });
  if (seal.at === 'empty') return null;
  if (seal.at === 'changed') {
    const message = `files were changed after they were judged: ${seal.paths.join(', ')}`;
    return failure('gate', message, { outcome: 'NEEDS_ESCALATION', evidence: { category: 'validation' } });
  }
  const end = await hostPart<LandEnd>(ctx, place, {
    part: 'land',
    name: 'land',
    args: { target, workspace, sealed: seal.sealed, timeoutMs: acceptanceTimeoutMs, env: workspace.env },
    of: after,
  });
  if (end.at !== 'landed') return end;
  job.landed = end;
  return null;
}

async function tryAgain(ctx: Ctx, { place }: TaskJob, landed: NotLanded, after: string): Promise<boolean> {
  const { id, identity } = place;
  const { text } = await ctx.ask(keyOf(`${id}/stuck`, { identity, after }), {
    text: `${id} does not land: ${sentenceOf(landed)}. Shall its agent try once more?`,
    options: ['again', 'fail'],
    evidence: plain(landed),
    step: id,
  });
  return /^(again|yes|y)$/i.test(text.trim());
}

function notLanded(landed: NotLanded): Failure {
  const output = landed.at === 'broken' ? landed.output : landed.files.join('\n');
  return failure('gate', `it does not land: ${sentenceOf(landed)}`, {
    outcome: 'NEEDS_ESCALATION',
    evidence: { category: 'validation', output },
  });
}

function sentenceOf(landed: NotLanded): string {
  return landed.at === 'conflict'
    ? `others changed the same lines of ${landed.files.join(', ')}`
    : `merged with what landed before, '${landed.criterion}' of ${landed.task} does not pass`;
}
