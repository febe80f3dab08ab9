import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../../lib/json.ts';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Bundle } from '../../model/plan/bundle.ts';
import {
  changedMembers,
  expandedBehaviors,
  layersOf,
  makeBundle,
  taskChecksum,
} from '../../model/plan/make-bundle.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { refusal, type Refusal, refusalOfProblems } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { stateFolder } from '../state-folder.ts';
import { missingFiles, readBundle, readBundleJson, writeBundle } from '../plan-files/bundle-file.ts';
import type { FoundPlan } from './find-plan.ts';
import { type PlanSources, planSources } from './plan-sources.ts';
import { requiredTask } from './agent-led/required-task.ts';
import { boardOfNodes } from './agent-led/plan-status.ts';

type Place = Tutti;

const again = (id: string): string => `make it again: tutti bundle generate ${id}`;

/** Bundles for tasks of a plan that is conducted by hand: the work happens in the target itself. */
export async function generateBundles(
  tutti: Place,
  found: FoundPlan,
  ids: readonly string[],
): Promise<Result<readonly Bundle[], Refusal>> {
  const sources = await planSources(tutti, found);
  if (!sources.ok) return sources;
  const bundles: Bundle[] = [];
  for (const id of ids) {
    const bundle = await bundleOf(tutti, found, sources.value, id);
    if (!bundle.ok) return bundle;
    bundles.push(bundle.value);
  }
  for (const bundle of bundles) writeBundle(tutti, found.paths, bundle);
  return ok(bundles);
}

/** For every task that could be started now. */
export async function generateReady(
  tutti: Place,
  found: FoundPlan,
): Promise<Result<readonly Bundle[], Refusal>> {
  const { ready } = boardOfNodes(await tutti.queries.plans.nodes(found.plan.name));
  return generateBundles(tutti, found, ready);
}

async function bundleOf(
  tutti: Place,
  { plan }: FoundPlan,
  { capabilityMap, physicalMap, constraints, checksums }: PlanSources,
  id: string,
): Promise<Result<Bundle, Refusal>> {
  const row = await requiredTask(tutti, plan.name, id);
  if (!row.ok) return row;
  const { task } = row.value;
  return ok(
    makeBundle({
      task,
      behaviors: expandedBehaviors(task, capabilityMap),
      layers: layersOf(task, physicalMap),
      needs: (
        await Promise.all(
          task.dependencies.tasks.map(
            async (need) => (await tutti.queries.plans.task(plan.name, need))?.task ?? [],
          ),
        )
      ).flat(),
      targetDir: plan.targetDir,
      constraints,
      checksums,
    }),
  );
}

/** Has it the form of a bundle? */
export function validateBundle({ paths }: FoundPlan, id: string): Result<Bundle, Refusal> {
  const read = readBundle(paths, id);
  return read.ok ? read : err(refusalOfProblems(read.error, again(id)));
}

/** Was it made from what is there now, is it as it was made, and is there what it builds on? */
export async function validateIntegrity(
  tutti: Place,
  found: FoundPlan,
  id: string,
): Promise<Result<Bundle, Refusal>> {
  const bundle = validateBundle(found, id);
  if (!bundle.ok) return bundle;
  const row = await requiredTask(tutti, found.plan.name, id);
  if (!row.ok) return row;
  const sources = await planSources(tutti, found);
  if (!sources.ok) return sources;
  const now: Bundle['checksums'] = { task: taskChecksum(row.value.task), ...sources.value.checksums };
  const { checksums } = bundle.value;
  const names = ['task', 'capability_map', 'physical_map', 'spec'] as const;
  const stale = names.filter((name) => checksums[name] !== now[name]);
  if (stale.length > 0) {
    const message = `the bundle of ${id} was made from another ${stale.join(', ').replaceAll('_', ' ')}`;
    return err(refusal('FAILURE', message, again(id)));
  }
  const changed = await changesOf(tutti, found, sources.value, id);
  if (!changed.ok) return changed;
  if (changed.value.length > 0) {
    const what = changed.value.join(', ').replaceAll('_', ' ');
    return err(refusal('FAILURE', `the bundle of ${id} was changed after it was made: ${what}`, again(id)));
  }
  const missing = missingFiles(bundle.value);
  if (missing.length > 0) {
    const message = `the bundle of ${id} builds on files that are not there: ${missing.join(', ')}`;
    return err(refusal('FAILURE', message, `see what became of the tasks that write them: tutti task list`));
  }
  return bundle;
}

/** What of a bundle's file is not what Tutti would write now. The same secrets are left out of both. */
async function changesOf(
  tutti: Place,
  found: FoundPlan,
  sources: PlanSources,
  id: string,
): Promise<Result<readonly string[], Refusal>> {
  const made = await bundleOf(tutti, found, sources, id);
  if (!made.ok) return made;
  // As it lies there: an agent reads what its form leaves out, too.
  const lies = recorded<Bundle>(readBundleJson(found.paths, id));
  const written = recorded<Bundle>(JSON.parse(tutti.redactor.text(JSON.stringify(made.value))));
  const isOwn = lies.target_dir === written.target_dir || isWithin(stateFolder(tutti.env), lies.target_dir);
  return ok([...changedMembers(lies, written), ...(isOwn ? [] : ['target_dir'])]);
}

export interface ListedBundle {
  readonly task: string;
  readonly path: string;
  /** Null: it has the form of a bundle, and its task exists. */
  readonly problem: string | null;
}

export async function listBundles(
  { queries }: Place,
  { plan, paths }: FoundPlan,
): Promise<readonly ListedBundle[]> {
  const known = new Set((await queries.plans.nodes(plan.name)).map(({ id }) => id));
  return bundleIds(paths.dir).map((task) => {
    const read = readBundle(paths, task);
    const strange = known.has(task) ? null : `the plan has no task ${task}`;
    const problem = read.ok ? strange : read.error.map(problemSentence).join('; ');
    return { task, path: paths.bundle(task), problem };
  });
}

/** Removes every bundle; results stay. */
export function cleanBundles({ paths }: FoundPlan): readonly string[] {
  const ids = bundleIds(paths.dir);
  for (const id of ids) rmSync(paths.bundle(id), { force: true });
  return ids;
}

function bundleIds(dir: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(join(dir, 'bundles'));
  } catch {
    return [];
  }
  return names.flatMap((name) => /^(T[0-9]{3,6})-bundle\.json$/.exec(name)?.[1] ?? []).toSorted();
}
