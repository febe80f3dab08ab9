import type { Entry } from '../../model/entry.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import { rootStepOf } from '../../model/key.ts';
import type { OpenQuestion } from '../../model/question.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { familyOf } from '../../model/family.ts';

/** Closes the questions of a run that no part of it waits for any more: those of the selected entries. */
export async function withdrawQuestions(
  { queries, store }: Pick<Tutti, 'queries' | 'store'>,
  runId: string,
  select: (entry: Entry) => boolean,
): Promise<void> {
  const asked = (await queries.entries(runId)).filter(
    ({ kind, state }) => kind === 'ask' && state.at === 'open',
  );
  const keys = asked.filter(select).map(({ key }) => key);
  if (keys.length > 0) await store.withdraw(runId, keys);
}

/** Why a question that was closed without an answer takes none. */
export async function refuseWithdrawn(
  { queries }: Pick<Tutti, 'queries'>,
  { id, runId, key }: Pick<OpenQuestion, 'id' | 'runId' | 'key'>,
): Promise<Refusal> {
  const run = await queries.run(runId);
  const task =
    run !== null && familyOf(run).hasTasks
      ? await queries.plans.task(planOfRunId(runId), rootStepOf(key))
      : null;
  const why =
    task === null
      ? `run ${runId} no longer waits for it`
      : task.state.at === 'skipped'
        ? `task ${task.task.id}, which asked it, was skipped`
        : `task ${task.task.id}, which asked it, no longer waits for it`;
  return refusal('USAGE', `${id} is closed: ${why}`, 'see what is open: tutti inbox');
}
