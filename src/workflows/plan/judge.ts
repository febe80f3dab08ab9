import type { Ctx } from '../../kernel/ctx.ts';
import type { Judgement } from '../../kernel/agent-work.ts';
import { firstFew } from '../../lib/first-few.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { type Failure, failure } from '../../model/failure.ts';
import { joinFindings } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import { verifies } from '../../model/plan/execute-input.ts';
import { leftOutReason, waivedAcceptance } from '../../model/plan/acceptance.ts';
import type { Acceptance, WrittenFiles } from '../../model/plan/execute-parts.ts';
import { type AcceptanceCriterion, argvOf } from '../../model/plan/plan-task.ts';
import { categoryOfCommand } from '../../model/plan/task-error.ts';
import type { CommandTrouble } from './command-troubles.ts';
import { writtenFiles } from './turn-spec.ts';
import type { TaskJob } from './task-job.ts';
import { again, inTask, taskOperation, type TaskInRun } from './task-in-run.ts';
import { undeclaredFiles } from './undeclared.ts';
import { verifyWork } from './verify.ts';

/**
 * Done is proven, not said. Cheap evidence comes first: something was written, nothing beyond what was declared, then
 * every acceptance criterion, then somebody else's opinion.
 */
export async function judgeWork(ctx: Ctx, job: TaskJob, after: string): Promise<Judgement | null> {
  const judged = await judgement(ctx, job, after);
  job.fault = judged?.failure ?? null;
  if (judged !== null) await recordRefusal(ctx, job.place, after, judged.failure);
  return judged;
}

/** Work that does not stand has an entry of its own, so that people see why the next turn heals. */
async function recordRefusal(
  ctx: Ctx,
  { id, identity }: TaskInRun,
  after: string,
  { message, outcome }: Failure,
): Promise<void> {
  await ctx.step(keyOf(`${id}/judgement`, { identity, after }), () => ({ finding: message }), {
    outcome: () => outcome,
  });
}

async function judgement(ctx: Ctx, job: TaskJob, after: string): Promise<Judgement | null> {
  const { place } = job;
  job.criteria = [];
  job.changedBy = [];
  const written = await writtenFiles(ctx, job, 'declared', after);
  job.written = written;
  if (written.problem !== null) {
    return {
      failure: failure('gate', written.problem, {
        evidence: { category: 'validation', output: written.problem },
      }),
      of: { written: written.digest },
    };
  }
  if (pathsOf(written).length === 0 && !written.landedBefore) {
    return {
      failure: failure('gate', `nothing was changed in the working directory${seenElsewhere(written)}`, {
        evidence: { category: 'validation', output: 'git sees no difference to where the work began' },
      }),
      of: { written: written.digest },
    };
  }
  const beyond = await undeclaredFiles(ctx, job, pathsOf(written), after);
  if (beyond !== null) return { failure: beyond, of: { undeclared: written.digest } };
  const failed = await acceptance(ctx, job, after);
  if (failed !== null) return failed;
  const refused = verifies(place.input) ? await verifyWork(ctx, job, written, after) : null;
  return refused === null ? null : { failure: refused, of: { verified: written.digest } };
}

/** The likeliest mistake of an agent that is not kept in its workspace. */
function seenElsewhere({ elsewhere = [] }: WrittenFiles): string {
  if (elsewhere.length === 0) return '';
  const paths = firstFew(
    elsewhere.map((path) => oneLine(path, 200)),
    5,
  );
  return `, but your own checkout differs in ${paths}: if the agent worked there, set that back`;
}

export function pathsOf({ files }: WrittenFiles): readonly string[] {
  return [...files.created, ...files.modified, ...files.deleted];
}

/** All of them, so that one healing turn can fix all that is wrong. */
async function acceptance(ctx: Ctx, job: TaskJob, after: string): Promise<Judgement | null> {
  const { place } = job;
  const ends: Accepted[] = [];
  for (const [index, criterion] of place.entry.task.acceptance_criteria.entries()) {
    ends.push(await acceptCriterion(ctx, job, { criterion, number: index + 1 }, after));
  }
  job.criteria = ends.map(({ criterion }) => criterion);
  job.changedBy = ends.flatMap(({ criterion, changed = [] }) =>
    changed.length === 0 ? [] : [{ criterion: criterion.name, paths: changed }],
  );
  const failed = ends.filter(({ problem }) => problem !== null);
  const [first] = failed;
  if (first === undefined) return null;
  const stopped = failed.find(({ trouble }) => trouble !== null)?.trouble ?? null;
  const count =
    failed.length === 1 ? '1 acceptance criterion does' : `${failed.length} acceptance criteria do`;
  const output = joinFindings(
    failed.map((end) => ({
      headline: `${end.criterion.name}: ${end.criterion.evidence}`,
      output: end.output,
    })),
  );
  const commands = place.entry.task.acceptance_criteria
    .filter(({ criterion }) => criterion === first.criterion.name)
    .map(({ verification }) => verification);
  const found = first.finding ?? first.criterion.evidence;
  const evidence = { category: categoryOfCommand(commands.join('\n')), output };
  return {
    failure:
      stopped === null
        ? failure('gate', `${count} not pass: ${first.criterion.name}: ${found}`, { evidence })
        : failure('gate', stopped.why, { outcome: 'NEEDS_ESCALATION', evidence }),
    of: { criteria: failed.map(({ criterion }) => criterion.name) },
  };
}

interface Accepted extends Acceptance {
  /** Why no agent can make it pass, where a person wants the task to fail for it. */
  readonly trouble: CommandTrouble | null;
}

interface NumberedCriterion {
  readonly criterion: AcceptanceCriterion;
  readonly number: number;
}

/** One criterion, run until it says something about the agent's work, or a person has said what becomes of it. */
async function acceptCriterion(
  ctx: Ctx,
  { place, workspace, begun }: TaskJob,
  { criterion, number }: NumberedCriterion,
  after: string,
): Promise<Accepted> {
  const { verification: command } = criterion;
  const { troubles } = place;
  for (let round = 1; ; round += 1) {
    const left = troubles.leftOut(command);
    if (left !== null) return notJudged(criterion, leftOutReason(left));
    const args = { ...inTask(place), criterion, argv: argvOf(criterion), env: workspace.env };
    const end = await taskOperation(ctx, place, 'task-accept', args, {
      number: `-${number}${again(round)}`,
      of: { after, verification: command },
      workspace: workspace.dir,
      timeoutMs: place.input.acceptanceTimeoutMs,
    });
    if (end.problem === null) return { ...end, trouble: null };
    const { exitCode = null, output } = end;
    const trouble = await troubles.of(ctx, { command, exitCode, output, base: workspace.base });
    if (trouble === null) return { ...end, trouble: null };
    const said = await troubles.ask(ctx, trouble, { step: place.id, attempt: begun.attempt, round });
    if (said === 'without')
      return notJudged(criterion, `a person chose to continue without it: ${trouble.why}`);
    if (said !== 'again') return { ...end, trouble: said === 'fail' ? trouble : null };
  }
}

function notJudged(criterion: AcceptanceCriterion, why: string): Accepted {
  return { ...waivedAcceptance(criterion, why), trouble: null };
}
