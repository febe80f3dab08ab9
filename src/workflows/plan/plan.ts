import { plain, recorded } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import type { CheckedArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { closed } from '../../model/question.ts';
import { approval } from './approval.ts';
import { checkBase } from './check-base.ts';
import { type ArtifactWork, Conducted } from './conducted.ts';
import { TaskEdits } from './hand-edits.ts';
import { definitionNote, logicalNote, physicalNote } from './notes.ts';
import { artifactCheck, type PhaseEnd } from './phase-work.ts';
import { planOperation } from './plan-operation.ts';
import { definitionPrompt, logicalPrompt, physicalPrompt } from './prompts.ts';
import { endOfPlan, planSteps, saidOf, stepEndsOfPlan, type PlanStep, type PlanValue } from './plan-value.ts';
import { Sequencing } from './sequencing.ts';
import { Verification } from './verification.ts';

/** From a specification to tasks that were verified, put in order and approved (seed E). */
export const planWorkflow: Workflow = {
  name: 'plan',
  run: async (ctx, input) => plain(await plan(ctx, recorded<PlanInput>(input))),
  end: endOfPlan,
  stepEnds: stepEndsOfPlan,
  outline: () =>
    planSteps.map((id, index) => ({ id, needs: planSteps.slice(Math.max(0, index - 1), index) })),
};

async function plan(ctx: Ctx, given: PlanInput): Promise<PlanValue> {
  const { specChecksum, round } = given;
  const stored = await planOperation(ctx, given, keyOf('ingestion', { specChecksum, round }), 'plan-ingest', {
    plan: given.plan,
    checksum: specChecksum,
  });
  if ('problem' in stored) {
    return failed('ingestion', failure('unavailable', stored.problem, { outcome: 'USAGE' }));
  }
  const base = await checkBase(ctx, given);
  if (base.at === 'stopped') return failed('ingestion', base.failure);
  const { input } = base;
  const conducted = new Conducted(ctx, input, stored);
  const capabilities = await conducted.pass('capability_map', logical(input));
  if (capabilities.at === 'failed') return failed('logical', capabilities.failure);
  const files = await conducted.pass('physical_map', physical(input, capabilities.value));
  if (files.at === 'failed') return failed('physical', files.failure);
  const tasks = await conducted.pass('tasks', definition(ctx, input, capabilities.value, files.value));
  if (tasks.at === 'failed') return failed('definition', tasks.failure);
  return untilApproved(ctx, input, conducted, capabilities.value, tasks.value);
}

/** A person may edit the plan instead of approving it; what comes of it is verified, put in order and shown again. */
async function untilApproved(
  ctx: Ctx,
  input: PlanInput,
  conducted: Conducted,
  capabilities: CheckedArtifact,
  first: CheckedArtifact,
): Promise<PlanValue> {
  const verification = new Verification(ctx, input, capabilities.content, conducted.verdictOn(first));
  const sequencing = new Sequencing(ctx, input, first.digest, conducted.isSequenced());
  const shown = new Map<string, number>();
  let tasks = first;
  for (let edits = 1; ; edits += 1) {
    const verified = await verification.pass(tasks);
    if (verified.at === 'failed') return failed('validation', verified.failure);
    const { verdict } = verified.value;
    // A person may have edited them while the verifier was at work: no agent puts that back.
    const after = keyOf('validation/judged', plain({ tasks: verified.value.tasks.digest, verdict }));
    const now = await editedTasks(ctx, input, after, { step: 'validation', edits });
    if (now.at === 'failed') return failed('validation', now.failure);
    if (now.value.isMended || now.value.tasks.content !== verified.value.tasks.content) {
      ({ tasks } = now.value);
      continue;
    }
    const ordered = await sequencing.pass(verified.value.tasks);
    if (ordered.at === 'failed') return failed('sequencing', ordered.failure);
    const done = ordered.value;
    const changes =
      capabilities.changes === null || tasks.changes === null
        ? null
        : { behaviors: capabilities.changes, tasks: tasks.changes };
    const serialised = done.tasks?.added ?? [];
    const summary = {
      tasks: done.tasks?.total ?? 0,
      phases: done.tasks?.phases ?? 0,
      digest: done.digest,
      verdict: { verdict: verdict.verdict, summary: verdict.summary, issues: verdict.issues },
      changes,
      serialised,
      said: saidOf({ changes, serialised }),
    };
    const { round } = input;
    ctx.emit(keyOf(`sequencing/told-${edits}`, plain({ summary, round })), 'planned', plain(summary));
    const times = shown.get(done.digest) ?? 0;
    shown.set(done.digest, times + 1);
    // An approval in advance is for what the agents wrote, not for what was edited while they were at work.
    const isEdited = verified.value.tasks.content !== first.content;
    const asks = isEdited ? { ...input, approvedBy: null } : input;
    const said = await approval(ctx, asks, done, verified.value.verdict, times);
    if (said.at === 'approved') return { at: 'planned', summary };
    if (said.at === 'refused') return { at: 'refused', summary, by: said.by, reason: said.reason };
    const edited = await editedTasks(ctx, input, said.after, { step: 'approval', edits });
    if (edited.at === 'failed') return failed('approval', edited.failure);
    ({ tasks } = edited.value);
  }
}

interface EditedTasks {
  readonly tasks: CheckedArtifact;
  /** They were not valid at first. */
  readonly isMended: boolean;
}

/** As the person left them; what is not valid is told, and looked at again when it is fixed. */
async function editedTasks(
  ctx: Ctx,
  input: PlanInput,
  after: string,
  { step, edits }: { readonly step: 'validation' | 'approval'; readonly edits: number },
): Promise<PhaseEnd<EditedTasks>> {
  let last = after;
  for (let looks = 1; ; looks += 1) {
    const key = keyOf(`${step}/look-${edits}-${looks}`, { after: last, round: input.round });
    const found = await artifactCheck(input, tasksArgs(input)).look(ctx, key, null);
    if (found.at === 'valid') return { at: 'done', value: { tasks: found, isMended: looks > 1 } };
    const words = found.at === 'missing' ? `${found.path} is not there` : (found.problems[0] ?? '');
    const message = `the edited tasks are not valid: ${words}`;
    last = keyOf(`${step}/mend-${edits}-${looks}`, plain({ after: last, found }));
    const answer = await ctx.ask(last, {
      text: `Plan ${input.plan}: ${message}. Fix them, then answer 'edited'.`,
      options: ['edited', 'abort'],
      closed,
      evidence: plain(found),
      step,
    });
    if (answer.text.trim().toLowerCase() === 'abort') {
      return { at: 'failed', failure: failure('gate', message, { outcome: 'NEEDS_REFINEMENT' }) };
    }
  }
}

function logical(input: PlanInput): ArtifactWork {
  return {
    phase: 'logical',
    id: 'logical',
    prompt: logicalPrompt(input),
    upstream: { spec: input.specChecksum },
    note: logicalNote(input),
    check: artifactCheck(input, {
      artifact: 'capability_map',
      phase: 'logical',
      before: input.before.capability_map ?? null,
    }),
  };
}

function physical(input: PlanInput, capabilities: CheckedArtifact): ArtifactWork {
  const { digest } = capabilities;
  return {
    phase: 'physical',
    id: 'physical',
    prompt: physicalPrompt(input, capabilities.checksum),
    upstream: { capabilities: capabilities.content },
    note: physicalNote(input, capabilities),
    check: artifactCheck(input, {
      artifact: 'physical_map',
      phase: 'physical',
      before: input.before.physical_map ?? null,
      capabilities: digest,
      // Made from a map with the same content: only the checksum in it is another one.
      same: input.before.capability_map ?? null,
    }),
  };
}

function definition(
  ctx: Ctx,
  input: PlanInput,
  capabilities: CheckedArtifact,
  files: CheckedArtifact,
): ArtifactWork {
  const edits = new TaskEdits(ctx, input);
  return {
    phase: 'definition',
    id: 'definition',
    settle: (after) => edits.settle(after),
    repair: ({ problems }, after, looks) => edits.repair(problems, after, looks),
    prompt: definitionPrompt(input),
    upstream: { capabilities: capabilities.content, files: files.content },
    note: definitionNote(input, capabilities, files),
    check: artifactCheck(input, { ...tasksArgs(input), capabilities: capabilities.digest }),
  };
}

function tasksArgs({ before }: PlanInput) {
  return { artifact: 'tasks', phase: 'definition', before: before.tasks ?? null } as const;
}

function failed(step: PlanStep, why: Failure): PlanValue {
  return { at: 'failed', step, failure: why };
}
