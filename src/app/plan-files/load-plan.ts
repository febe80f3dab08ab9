import { err, ok, type Result } from '../../lib/result.ts';
import { type Graph, graphOf } from '../../model/graph.ts';
import type { CapabilityMap } from '../../model/plan/capability-map.ts';
import type { PhysicalMap } from '../../model/plan/physical-map.ts';
import { capabilityMapFile, physicalMapFile, type PlanFacts } from '../../model/plan/plan-facts.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { type AddedOrder, nodesOf, serialised } from '../../model/plan/serialise.ts';
import { documentDigest } from '../../model/plan/checksum.ts';
import { validateCapabilityMap } from '../../model/plan/validate-capability-map.ts';
import { validatePhysicalMap } from '../../model/plan/validate-physical-map.ts';
import { validateTasks } from '../../model/plan/validate-tasks.ts';
import { capabilityMapForm } from '../../model/schemas/capability-map.ts';
import { readJsonForm } from '../../model/schemas/json-document.ts';
import { physicalMapForm } from '../../model/schemas/physical-map.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { loadTasks, maxTaskBytes } from './load-tasks.ts';
import { capped, placedProblems, readPlanFile } from './plan-file.ts';

const maxSpecBytes = 16 * 1024 * 1024;
const maxMapBytes = 64 * 1024 * 1024;

/** Something that was read, found to be right, and the name of its content: how its file is laid out does not matter. */
export interface Checked<T> {
  readonly value: T;
  readonly digest: string;
}

export interface CheckedTasks extends Checked<readonly PlanTask[]> {
  /** Of each task, by its id. */
  readonly digests: ReadonlyMap<string, string>;
  /** What may run when: the dependencies, and the order of tasks that own one file. */
  readonly graph: Graph;
  /** That order, where the tasks themselves had none. */
  readonly added: readonly AddedOrder[];
}

export interface LoadedPlan {
  readonly capabilityMap: Checked<CapabilityMap>;
  readonly physicalMap: Checked<PhysicalMap>;
  readonly tasks: CheckedTasks;
}

type Read<T> = Result<T, readonly Problem[]>;

/** The specification, word for word. */
export function readSpec(planDir: string): Read<string> {
  const text = readPlanFile(planDir, 'inputs/spec.md', maxSpecBytes);
  return text.ok ? text : err([text.error]);
}

export function readCapabilityMap(planDir: string, facts: PlanFacts): Read<Checked<CapabilityMap>> {
  const source = capabilitySource(planDir, facts);
  return source.ok ? ok({ value: source.value.value, digest: source.value.digest }) : source;
}

/** Also reads the map that it was made from: one that is wrong is told first. */
export function readPhysicalMap(planDir: string, facts: PlanFacts): Read<Checked<PhysicalMap>> {
  const capabilities = capabilitySource(planDir, facts);
  return capabilities.ok ? physicalMapOf(planDir, capabilities.value, facts) : capabilities;
}

/** Also reads the capability map, for what the tasks must have. */
export function readTasks(planDir: string, facts: PlanFacts): Read<CheckedTasks> {
  const capabilities = capabilitySource(planDir, facts);
  return capabilities.ok ? tasksOf(planDir, capabilities.value.value, facts) : capabilities;
}

/** Everything, each file once. */
export function readPlan(planDir: string, facts: PlanFacts): Read<LoadedPlan> {
  const capabilities = capabilitySource(planDir, facts);
  if (!capabilities.ok) return capabilities;
  const physicalMap = physicalMapOf(planDir, capabilities.value, facts);
  const tasks = tasksOf(planDir, capabilities.value.value, facts);
  if (!physicalMap.ok) return tasks.ok ? physicalMap : err(capped([...physicalMap.error, ...tasks.error]));
  if (!tasks.ok) return tasks;
  const { value, digest: name } = capabilities.value;
  return ok({ capabilityMap: { value, digest: name }, physicalMap: physicalMap.value, tasks: tasks.value });
}

type CapabilitySource = Checked<CapabilityMap> & { readonly text: string };

function capabilitySource(planDir: string, facts: PlanFacts): Read<CapabilitySource> {
  const text = readPlanFile(planDir, capabilityMapFile, maxMapBytes);
  if (!text.ok) return err([text.error]);
  const form = readJsonForm(capabilityMapForm, text.value, capabilityMapFile);
  if (!form.ok) return err(capped(form.error));
  const issues = validateCapabilityMap(form.value, facts);
  if (issues.length > 0) return err(placedProblems(planDir, issues, maxMapBytes));
  return ok({ value: form.value, digest: documentDigest(form.value), text: text.value });
}

function physicalMapOf(
  planDir: string,
  capabilities: CapabilitySource,
  facts: PlanFacts,
): Read<Checked<PhysicalMap>> {
  const text = readPlanFile(planDir, physicalMapFile, maxMapBytes);
  if (!text.ok) return err([text.error]);
  const form = readJsonForm(physicalMapForm, text.value, physicalMapFile);
  if (!form.ok) return err(capped(form.error));
  const issues = validatePhysicalMap(form.value, capabilities, facts);
  if (issues.length > 0) return err(placedProblems(planDir, issues, maxMapBytes));
  return ok({ value: form.value, digest: documentDigest(form.value) });
}

function tasksOf(planDir: string, capabilities: CapabilityMap, facts: PlanFacts): Read<CheckedTasks> {
  const loaded = loadTasks(planDir);
  if (!loaded.ok) return err(capped(loaded.error));
  const { tasks, digests, digest } = loaded.value;
  const own = graphOf(nodesOf(tasks));
  const issues = validateTasks(tasks, capabilities, facts, own);
  if (issues.length > 0) return err(placedProblems(planDir, issues, maxTaskBytes));
  const { graph, added } = serialised(tasks, own.ok ? own.value : undefined);
  if (graph === null) throw new Error('the order of tasks that own one file made a circle');
  return ok({ value: tasks, digest, digests, graph, added });
}
