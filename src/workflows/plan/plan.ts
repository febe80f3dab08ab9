import { plain, recorded } from '../../lib/json.ts';
import { endSentence } from '../../lib/sentence.ts';
import { untilApproved } from '../../kernel/approval.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import { outlines, type PlanStep } from '../../model/outline.ts';
import type { CheckedArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Judged } from '../../model/plan/planning-operations.ts';
import { closed } from '../../model/question.ts';
import { approveTasks } from './approval.ts';
import { checkBase } from './check-base.ts';
import { type ArtifactWork, Conducted } from './conducted.ts';
import { TaskEdits } from './hand-edits.ts';
import { definitionNote, logicalNote, physicalNote } from './notes.ts';
import type { DocumentEnd } from '../../kernel/write-document.ts';
import { artifactCheck } from './phase-work.ts';
import { refusalReasons } from './people-words.ts';
import { planOperation } from './plan-operation.ts';
import { definitionPrompt, logicalPrompt, physicalPrompt } from './prompts.ts';
import { endOfPlan, saidOf, type PlanSummary, type PlanValue } from './plan-value.ts';
import { Sequencing } from './sequencing.ts';
import { Verification } from './verification.ts';

/** From a specification to tasks that were verified, put in order and approved (seed E). */
export const planWorkflow: Workflow = {
  name: 'plan',
  run: async (ctx, input) => plain(await plan(ctx, recorded<PlanInput>(input))),
  end: endOfPlan,
  ...outlines.plan,
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
  return approvedTasks(ctx, input, conducted, capabilities.value, tasks.value);
}

/** Tasks that were verified and put in order, with what people see of them. */
interface ReadyTasks {
  readonly digest: string;
  readonly tasks: CheckedArtifact;
  readonly verdict: Judged;
  readonly summary: PlanSummary;
  /** A person has changed what the agents wrote. */
  readonly isEdited: boolean;
}

/** The tasks, verified, put in order and shown, until a person has approved or refused them. */
async function approvedTasks(
  ctx: Ctx,
  input: PlanInput,
  conducted: Conducted,
  capabilities: CheckedArtifact,
  first: CheckedArtifact,
): Promise<PlanValue> {
  const verification = new Verification(ctx, input, capabilities.content, conducted.verdictOn(first));
  const sequencing = new Sequencing(ctx, input, first.digest, conducted.isSequenced());
  const end = await untilApproved<CheckedArtifact, ReadyTasks, PlanValue>(first, {
    prepare: async (tasks, edits) => {
      const verified = await verification.pass(tasks);
      if (verified.at === 'failed') return { at: 'failed', value: failed('validation', verified.failure) };
      const { verdict } = verified.value;
      // A person may have edited them while the verifier was at work: no agent puts that back.
      const after = keyOf('validation/judged', plain({ tasks: verified.value.tasks.digest, verdict }));
      const now = await editedTasks(ctx, input, after, { step: 'validation', edits });
      if (now.at === 'failed') return { at: 'failed', value: failed('validation', now.failure) };
      if (now.value.isMended || now.value.tasks.content !== verified.value.tasks.content) {
        return { at: 'edited', doc: now.value.tasks };
      }
      const ordered = await sequencing.pass(verified.value.tasks);
      if (ordered.at === 'failed') return { at: 'failed', value: failed('sequencing', ordered.failure) };
      const summary = summaryOf(ordered.value, verdict, { capabilities, tasks });
      const told = keyOf(`sequencing/told-${edits}`, plain({ summary, round: input.round }));
      ctx.emit(told, 'planned', plain(summary));
      const isEdited = verified.value.tasks.content !== first.content;
      const { digest } = ordered.value;
      return { at: 'ready', ready: { digest, tasks: ordered.value, verdict, summary, isEdited } };
    },
    approve: ({ tasks, verdict, isEdited }, times) => {
      // An approval in advance is for what the agents wrote, not for what was edited while they were at work.
      const asks = isEdited ? { ...input, approvedBy: null } : input;
      const { look } = artifactCheck(input, tasksArgs(input));
      return approveTasks(ctx, asks, { tasks, verdict, times, look: (key) => look(ctx, key, null) });
    },
    reread: async (after, edits) => {
      const edited = await editedTasks(ctx, input, after, { step: 'approval', edits });
      if (edited.at === 'failed') return { at: 'failed', value: failed('approval', edited.failure) };
      return { at: 'edited', doc: edited.value.tasks };
    },
  });
  if (end.at === 'failed') return end.value;
  const { summary } = end.ready;
  if (end.said.at === 'approved') return { at: 'planned', summary };
  return { at: 'refused', summary, by: end.said.by, reason: end.said.reason };
}

function summaryOf(
  done: CheckedArtifact,
  { verdict, summary, issues }: Judged,
  { capabilities, tasks }: { readonly capabilities: CheckedArtifact; readonly tasks: CheckedArtifact },
): PlanSummary {
  const changes =
    capabilities.changes === null || tasks.changes === null
      ? null
      : { behaviors: capabilities.changes, tasks: tasks.changes };
  const serialised = done.tasks?.added ?? [];
  return {
    tasks: done.tasks?.total ?? 0,
    phases: done.tasks?.phases ?? 0,
    digest: done.digest,
    verdict: { verdict, summary, issues },
    changes,
    serialised,
    said: saidOf({ changes, serialised }),
  };
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
): Promise<DocumentEnd<EditedTasks>> {
  let last = after;
  for (let looks = 1; ; looks += 1) {
    const key = keyOf(`${step}/look-${edits}-${looks}`, { after: last, round: input.round });
    const found = await artifactCheck(input, tasksArgs(input)).look(ctx, key, null);
    if (found.at === 'valid') return { at: 'done', value: { tasks: found, isMended: looks > 1 } };
    const words = found.at === 'missing' ? `${found.path} is not there` : (found.problems[0] ?? '');
    const message = `the edited tasks are not valid: ${words}`;
    last = keyOf(`${step}/mend-${edits}-${looks}`, plain({ after: last, found }));
    const answer = await ctx.ask(last, {
      text: `Plan ${input.plan}: ${endSentence(message)} Fix them, then answer 'edited'.`,
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
    repair: (found, after, looks) => edits.repair(found, after, looks),
    begin: refusalReasons(input, 'definition').length > 0 ? 'plan-tasks-begin' : undefined,
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
