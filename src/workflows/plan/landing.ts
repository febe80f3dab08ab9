import type { WorkEnd } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { firstFew } from '../../lib/first-few.ts';
import { plain } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import type { BroughtUp } from '../../model/plan/execute-parts.ts';
import { rebaseWords } from '../../model/plan/executor-prompt.ts';
import type { LandEnd, SealedWork } from '../../model/workspace.ts';
import { closed } from '../../model/question.ts';
import { executorTurns } from './executor-turns.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import type { TaskJob } from './task-job.ts';
import { again, inTask, taskOperation } from './task-in-run.ts';

/**
 * Puts work that stands onto the integration branch. When others were there first, the executor brings its work onto
 * theirs, the gates judge it again, and it lands then; the second time a person is asked. Null: it has landed.
 */
export async function landWork(ctx: Ctx, job: TaskJob, stands: WorkEnd): Promise<Failure | null> {
  let end = stands;
  for (let round = 1; ; round += 1) {
    const landed = await landOnce(ctx, job, end.key, round);
    if (landed === null) return null;
    if ('reason' in landed) return landed;
    if (round > 1 && !(await tryAgain(ctx, job, landed, end.key))) return notLanded(landed);
    const brought = await bringUp(ctx, job, end.key, round);
    if ('reason' in brought) return brought;
    const { workspace, conflicts, prepared } = brought;
    job.workspace = workspace;
    job.prepared = prepared;
    job.notes.push(`${sentenceOf(landed)}; it was brought up to date`);
    const reason = landed.at === 'conflict' ? { at: landed.at, files: conflicts } : landed;
    const { sessionId, conversation } = end.ended;
    end = await executorTurns(ctx, job, {
      id: `${job.place.id}/rebase-${round}`,
      words: { after: end.key, reason: reason.at },
      ...rebaseWords(job.prompt, reason),
      from: { turn: round + 1, continues: sessionId, conversation },
    });
    if (end.failure !== null) return end.failure;
  }
}

function bringUp(ctx: Ctx, job: TaskJob, after: string, round: number): Promise<BroughtUp | Failure> {
  const { place, begun } = job;
  return prepareWorkspace(ctx, place, {
    attempt: begun.attempt,
    round: landingRounds * round,
    hasWork: true,
    run: (tries, former: BroughtUp | null) =>
      taskOperation(
        ctx,
        place,
        'task-bring',
        {
          ...inTask(place),
          target: place.input.target,
          workspace: former?.workspace ?? job.workspace,
          prepared: former?.prepared ?? job.prepared,
          without: place.troubles.without,
        },
        { number: `-${round}${again(tries)}`, of: after },
      ),
  });
}

type NotLanded = Exclude<LandEnd, { at: 'landed' }>;

async function landOnce(
  ctx: Ctx,
  job: TaskJob,
  after: string,
  round: number,
): Promise<NotLanded | Failure | null> {
  const { place, workspace, written } = job;
  const { target, agents } = place.input;
  if (written === null) throw new Error(`work of ${place.id} that was not judged cannot land`);
  const seal = await taskOperation(
    ctx,
    place,
    'task-seal',
    {
      ...inTask(place),
      target,
      workspace,
      written,
      name: place.entry.task.name,
      agent: agents.executor.name,
    },
    { of: after },
  );
  if (seal.at === 'empty') return null;
  if (seal.at === 'changed') {
    return failure('gate', changedSentence(seal.paths, job.changedBy), {
      outcome: 'NEEDS_ESCALATION',
      evidence: { category: 'validation' },
    });
  }
  const end = await landSealed(ctx, job, seal.sealed, { after, round });
  if (end.at === 'stopped') return notLanded(end.landed);
  if (end.at !== 'landed') return end;
  job.landed = end;
  return null;
}

/** Names the criteria whose commands changed the files, where that was seen. */
function changedSentence(paths: readonly string[], changedBy: TaskJob['changedBy']): string {
  const message = `files were changed after they were judged: ${paths.join(', ')}`;
  const seen = changedBy.flatMap(({ criterion, paths: own }) => {
    const changed = own.filter((path) => paths.includes(path));
    if (changed.length === 0) return [];
    return [`the command of the criterion '${oneLine(criterion, 100)}' changed ${firstFew(changed, 5)}`];
  });
  if (seen.length > 0) return `${message}; ${seen.join('; ')}`;
  return `${message}; an acceptance command did it, or a process that is still running`;
}

/** A command that no rebase can make pass is a person's matter: no turn is paid for it. */
async function landSealed(
  ctx: Ctx,
  job: TaskJob,
  sealed: SealedWork,
  { after, round }: { readonly after: string; readonly round: number },
): Promise<LandEnd | { readonly at: 'stopped'; readonly landed: NotLanded }> {
  const { place, workspace, begun } = job;
  const { troubles, input } = place;
  for (let tries = 1; ; tries += 1) {
    const landed = await taskOperation(
      ctx,
      place,
      'task-land',
      {
        ...inTask(place),
        target: input.target,
        workspace,
        sealed,
        timeoutMs: input.acceptanceTimeoutMs,
        without: troubles.without,
      },
      { number: again(tries), of: after },
    );
    if (landed.at !== 'broken') return landed;
    const { command, exitCode = null, output, onto, isSetup = false } = landed;
    if (command === undefined || onto === undefined) return landed;
    const trouble = await troubles.of(ctx, { command, exitCode, output, isSetup, base: onto });
    if (trouble === null) return landed;
    const said = await troubles.ask(ctx, trouble, {
      step: place.id,
      attempt: begun.attempt,
      // A count of its own: what was said in a workspace was said about other files.
      round: landingRounds * round + tries,
    });
    if (said === 'agent') return landed;
    if (said === 'fail') return { at: 'stopped', landed };
    if (said === 'without') job.notes.push(`landed without \`${trouble.command}\`: ${trouble.why}`);
  }
}

const landingRounds = 1_000;

async function tryAgain(ctx: Ctx, { place }: TaskJob, landed: NotLanded, after: string): Promise<boolean> {
  const { id, identity } = place;
  const { text } = await ctx.ask(keyOf(`${id}/stuck`, { identity, after }), {
    text: `${id} does not land: ${sentenceOf(landed)}. Shall its agent try once more?`,
    options: ['again', 'fail'],
    closed,
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
