import { keyOf, stepIdOf } from '../../model/key.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { planRunId } from '../../model/plan/task-row.ts';
import { isApproval, type OpenQuestion, questionNumber } from '../../model/question.ts';
import type { Decided } from '../people/decide.ts';
import { planPathsOf } from '../plan-files/plan-paths.ts';
import { recordAnswer } from '../runs/answer-question.ts';
import { callConductor } from '../runs/ensure-conductor.ts';
import { isAdvancing } from '../status/living-holder.ts';
import type { KnownQuestion } from '../../model/ports/queries.ts';
import type { Tutti } from '../tutti.ts';
import { changedTaskFiles } from './changed-tasks.ts';

/** The question by which the plan's run waits for a person's word on it; null: it does not. */
export async function openApproval(
  { queries }: Pick<Tutti, 'queries'>,
  plan: string,
): Promise<OpenQuestion | null> {
  return (await queries.openQuestions(planRunId(plan))).find(isApproval) ?? null;
}

/** Whether the question is about exactly these tasks, by their digest: its key contains it. */
export function asksAbout({ key }: Pick<OpenQuestion, 'key'>, tasks: string): boolean {
  return key === keyOf(stepIdOf(key), { tasks });
}

/** Whether a run of Tutti has ever asked about exactly these tasks, by their digest. */
export async function wasAskedAbout(
  { queries }: Pick<Tutti, 'queries'>,
  plan: string,
  tasks: string,
): Promise<boolean> {
  return (await queries.questionAt(planRunId(plan), keyOf('approval', { tasks }))) !== null;
}

/** The last answer to such a question, while the run has not recorded it; null: there is none. An edit decides nothing. */
export async function unrecordedApproval(
  { queries }: Pick<Tutti, 'queries'>,
  { name, approval }: Pick<PlanRecord, 'name' | 'approval'>,
): Promise<KnownQuestion | null> {
  const run = await queries.run(planRunId(name));
  if (run === null || run.state.at === 'ended') return null;
  const last = await queries.lastAnswered(run.id);
  if (last === null || !isApproval(last) || last.answer === 'edit') return null;
  return (last.answeredAt ?? 0) > (approval?.at ?? 0) ? last : null;
}

/** Gives the plan's run the word that it waits for; false: it does not wait. */
export async function answerApproval(
  tutti: Tutti,
  plan: string,
  text: string,
  decided: Decided,
): Promise<boolean> {
  const asked = await openApproval(tutti, plan);
  if (asked === null) return false;
  const answered = await recordAnswer(tutti, asked, text, decided);
  if (answered.ok && !(await isAdvancing(tutti, asked.runId))) await callConductor(tutti, [asked.runId]);
  return answered.ok;
}

/**
 * How the task files of a plan differ from the tasks that this open question asks about, in words: an approval then counts for
 * none of them, and they are verified and asked about again. Null: they do not, or the question is about something else.
 */
export async function editsSinceAsked(tutti: Tutti, question: string): Promise<string | null> {
  const number = questionNumber(question);
  for (const plan of await tutti.queries.plans.all()) {
    const asked = await openApproval(tutti, plan.name);
    if (asked === null) continue;
    const isMeant = number === null ? question === `${asked.runId}/${asked.key}` : asked.id === `Q${number}`;
    if (isMeant) return changedTaskFiles(tutti, { plan, paths: planPathsOf(tutti.paths, plan.name) });
  }
  return null;
}
