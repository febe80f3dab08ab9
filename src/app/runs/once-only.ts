import { isObject, type Json } from '../../lib/json.ts';
import { familyOf } from '../../model/family.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { NewRun } from '../../model/ports/store.ts';
import type { Run } from '../../model/run.ts';
import { isAdvancing } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';
import { type ChangedRun, changeRun } from './run-holder.ts';

/**
 * `--yes`, `--no-verify` and `--undeclared accept` are for the command that they were given to: a plan that is resumed, and may
 * have been edited meanwhile, is asked about, and its work is verified.
 */
export async function forgetOnceOnly(tutti: Tutti, run: Run, change: ChangedRun): Promise<void> {
  if (await isAdvancing(tutti, run.id)) return;
  const next = await inputWithoutOnce(tutti, run);
  if (next !== null) await amendInput(tutti, run, next, change);
}

/** The same before an answer of another command: what continues the run then is not the command that had the flag. */
export async function forgetBeforeAnswer(tutti: Tutti, run: Run): Promise<void> {
  const input = await tutti.queries.input(run.id);
  if (!isObject(input) || !familyOf(run).waivesOnce(input) || (await isAdvancing(tutti, run.id))) return;
  const next = await inputWithoutOnce(tutti, run);
  const amended = next === null ? null : await withInput(tutti, run, next);
  if (amended === null) return;
  // A command that took the run meanwhile keeps what it was given; the answer itself is checked against a stop.
  await changeRun(tutti, run.id, { detach: true }, (change) => change.replaceInput(amended));
}

export async function amendInput(tutti: Tutti, run: Run, input: Json, change: ChangedRun): Promise<void> {
  const next = await withInput(tutti, run, input);
  if (next !== null) await change.amend(next);
}

async function inputWithoutOnce({ queries, config }: Tutti, run: Run): Promise<Json | null> {
  const input = await queries.input(run.id);
  if (!isObject(input)) return null;
  return familyOf(run).withoutOnce(input, {
    tasks: familyOf(run).hasTasks ? await queries.plans.tasks(planOfRunId(run.id)) : [],
    undeclared: config.workspace.undeclared,
  });
}

/** The run as it is, with another input; null: it has no budget, so there is no such run. */
async function withInput(
  { queries }: Tutti,
  { id, concurrency }: Run,
  input: Json,
): Promise<Pick<NewRun, 'input' | 'concurrency' | 'limits'> | null> {
  const limits = (await queries.budget(id))?.limits;
  return limits === undefined ? null : { input, limits, concurrency };
}
