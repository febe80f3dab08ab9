import { loadTasks } from '../../plan-record/change-plan.ts';
import { contentAddress } from '../../../lib/digest.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import type { ArtifactName, PlanRecord } from '../../../model/plan/plan-record.ts';
import type { AddedOrder } from '../../../model/plan/serialise.ts';
import { tooEarly, withMap, withSpec, withTasks } from '../../../model/plan/plan-transitions.ts';
import { type TaskRow, workDigest } from '../../../model/plan/task-row.ts';
import type { Problem } from '../../../model/schemas/problem.ts';
import { decideArtifactChange } from '../../people/decide-plan-change.ts';
import { refuseGoneFiles } from '../../plan-files/kept-files.ts';
import { isHeldBySandbox, refusal, refusalOfProblems, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import {
  type CheckedTasks,
  readCapabilityMap,
  readPhysicalMap,
  readSpec,
  readTasks,
} from '../../plan-files/load-plan.ts';
import { factsOfPlan } from '../facts-of-plan.ts';
import { writePlanViews } from '../plan-views.ts';
import { changePlan } from './change-and-show.ts';
import { takeEditsCommand } from '../../../model/plan/take-edits.ts';
import { conductingRuns } from './plan-status.ts';

export interface CheckedArtifact {
  readonly plan: PlanRecord;
  readonly digest: string;
  /** Of tasks only. */
  readonly tasks: LoadedTasks | null;
  /** False: it is valid, and the caller may not write that down. */
  readonly recorded: boolean;
}

const artifactWords: Readonly<Record<ArtifactName, string>> = {
  capability_map: 'edited capability map',
  physical_map: 'edited physical map',
  tasks: 'edited tasks',
};

export interface LoadedTasks {
  readonly total: number;
  /** New, or other work than before: they begin again. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly AddedOrder[];
}

/**
 * Looks at what agents wrote, as it is now. What passes is recorded by its digest; tasks are taken with it. Another one than
 * before is a person's to take while Tutti plans. `isDecided`: a person has done so.
 */
export async function checkArtifact(
  tutti: Tutti,
  { plan, paths }: Pick<FoundPlan, 'plan' | 'paths'>,
  name: ArtifactName,
  { isDecided = false }: { readonly isDecided?: boolean } = {},
): Promise<Result<CheckedArtifact, Refusal>> {
  const early = tooEarly(plan, name);
  if (early !== null) return err(refusal('FAILURE', early, 'continue: tutti plan advance'));
  const gone = refuseGoneFiles(tutti, plan);
  if (gone !== null) return err(gone);
  const again =
    name === 'tasks'
      ? takeEditsCommand(plan.name, await conductingRuns(tutti, plan.name))
      : `tutti plan validate ${name}`;
  const refused = (problems: readonly Problem[]): Refusal => ({
    ...refusalOfProblems(problems, `fix it in ${paths.dir}, then: ${again}`),
    outcome: 'FAILURE',
  });
  const spec = readSpec(paths.dir);
  if (!spec.ok) return err(refused(spec.error));
  const facts = await factsOfPlan(tutti.queries, plan, paths, {
    specText: spec.value,
    sequenced: isAtLeast(plan.phase, 'sequencing'),
  });
  const checksum = contentAddress(spec.value);
  const refuseOther = async (digest: string): Promise<Refusal | null> => {
    const isSame = digest === plan.checked[name] && checksum === plan.specChecksum;
    if (isDecided || isSame) return null;
    const decided = await decideArtifactChange(tutti, plan.name, `take the ${artifactWords[name]}`);
    return decided.ok ? null : decided.error;
  };
  if (name === 'tasks') {
    const read = readTasks(paths.dir, facts);
    if (!read.ok) return err(refused(read.error));
    const other = await refuseOther(read.value.digest);
    if (other !== null) return err(other);
    const unrecorded = { plan, digest: read.value.digest, tasks: null, recorded: false };
    return orUnrecorded(tutti, unrecorded, () => take(tutti, plan.name, checksum, read.value));
  }
  const read =
    name === 'capability_map' ? readCapabilityMap(paths.dir, facts) : readPhysicalMap(paths.dir, facts);
  if (!read.ok) return err(refused(read.error));
  const { digest } = read.value;
  const other = await refuseOther(digest);
  if (other !== null) return err(other);
  return orUnrecorded(tutti, { plan, digest, tasks: null, recorded: false }, async () => {
    const changed = await changePlan(tutti, plan.name, 'look at it: tutti plan status', (record) =>
      ok(withMap(withSpec(record, checksum), name, digest)),
    );
    return changed.ok ? ok({ plan: changed.value, digest, tasks: null, recorded: true }) : changed;
  });
}

/** An agent in a sandbox wants to know whether its work is valid; that it is, is recorded by whoever looks next. */
async function orUnrecorded(
  { env }: Tutti,
  valid: CheckedArtifact,
  record: () => Promise<Result<CheckedArtifact, Refusal>>,
): Promise<Result<CheckedArtifact, Refusal>> {
  try {
    return await record();
  } catch (error) {
    if (isHeldBySandbox(error, env)) return ok(valid);
    throw error;
  }
}

async function take(
  tutti: Tutti,
  plan: string,
  checksum: string,
  { value, digest, added }: CheckedTasks,
): Promise<Result<CheckedArtifact, Refusal>> {
  const loaded = await loadTasks(tutti, plan, value, (record, before) =>
    ok(withTasks(withSpec(record, checksum), digest, isSameWork(before, value) ? 'same' : 'other')),
  );
  if (!loaded.ok) return err(refusal('FAILURE', loaded.error, 'see who works on what: tutti task list'));
  await writePlanViews(tutti, plan);
  const record = await tutti.queries.plans.one(plan);
  if (record === null) return err(refusal('FAILURE', `there is no plan '${plan}'`, 'tutti plan list'));
  return ok({ plan: record, digest, tasks: { total: value.length, added, ...loaded.value }, recorded: true });
}

function isSameWork(before: readonly TaskRow[], now: CheckedTasks['value']): boolean {
  const digests = new Map(before.map(({ task }) => [task.id, workDigest(task)]));
  return now.length === digests.size && now.every((task) => digests.get(task.id) === workDigest(task));
}
