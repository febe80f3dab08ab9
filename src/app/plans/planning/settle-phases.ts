import { changePlan } from '../../plan-record/change-plan.ts';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { getKnown } from '../../../lib/get-known.ts';
import { isObject } from '../../../lib/json.ts';
import { ok } from '../../../lib/result.ts';
import { graphOf } from '../../../model/graph.ts';
import {
  contestedPhases,
  fitPhases,
  type HeldPhases,
  type OrderedTasks,
} from '../../../model/plan/fit-phases.ts';
import type { OperationResult } from '../../../model/operations.ts';
import type { PhasesArgs } from '../../../model/plan/planning-operations.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanTask } from '../../../model/plan/plan-task.ts';
import { nodesOf } from '../../../model/plan/serialise.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import { parseJson } from '../../../model/schemas/json-text.ts';
import { done } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { readCapabilityMap, readSpec } from '../../plan-files/load-plan.ts';
import { loadTasks } from '../../plan-files/load-tasks.ts';
import { type PlanPaths, planPathsOf } from '../../plan-files/plan-paths.ts';
import { keepTexts, readTaskTexts, taskCopies, tasksIn, type TaskTexts } from './checked-copies.ts';
import { factsOfPlan } from '../facts-of-plan.ts';

/**
 * After the auditor's turn: tasks that are the same work and phases that people chose stay as they were. Doing it twice is
 * doing it once.
 */
export async function settlePhases(
  parts: HostParts,
  request: PhasesArgs,
): Promise<OperationEnd<OperationResult<'plan-edits-settle'>>> {
  const paths = planPathsOf(parts.paths, request.plan);
  const record = await parts.queries.plans.one(request.plan);
  const now = loadTasks(paths.dir);
  // What is no task is for the validators to say.
  if (record === null || !now.ok) return done({ overwritten: [] });
  const { tasks } = now.value;
  const held = findHeld(paths, request, tasks);
  const ordered = await readOrder(parts, record, paths, tasks);
  if (held === null || ordered === null) return done({ overwritten: [] });
  const fitted = fitPhases(ordered, held);
  const stayed = new Set([...held.phases].flatMap(([id, phase]) => (fitted.get(id) === phase ? [id] : [])));
  const texts = readTaskTexts(paths, tasks);
  for (const task of tasks) {
    const text = texts.get(task.id) ?? '';
    const phase = getKnown(fitted, task.id);
    const was = stayed.has(task.id) ? held.texts.get(task.id) : undefined;
    const next = was ?? (phase === task.phase ? text : inPhase(text, phase));
    if (next !== text) replaceFile(paths.task(task.id), next);
  }
  const left = keepTexts(paths, leftByAgents(paths, record, readTaskTexts(paths, tasks), stayed));
  await changePlan(parts, record.name, (plan) => ok(withOrdered(plan, left)));
  return done({ overwritten: [] });
}

/** A task that stayed is as agents left it before: a person may have moved it since. */
function leftByAgents(
  paths: PlanPaths,
  { made }: PlanRecord,
  now: TaskTexts,
  stayed: ReadonlySet<string>,
): TaskTexts {
  const last = made?.tasks?.ordered;
  const before = last === undefined ? null : taskCopies(paths, last);
  if (before === null) return now;
  const texts = [...now].flatMap(([id, text]) => {
    const left = stayed.has(id) ? before.get(id) : text;
    return left === undefined ? [] : [[id, left] as const];
  });
  return new Map(texts);
}

/** Whose chosen phases do not fit, and a copy of the files as they are. */
export async function planPhasesContested({
  parts,
  args: request,
}: OperationCall<'plan-phases-contested'>): Promise<OperationEnd<OperationResult<'plan-phases-contested'>>> {
  const paths = planPathsOf(parts.paths, request.plan);
  const record = await parts.queries.plans.one(request.plan);
  const now = loadTasks(paths.dir);
  if (record === null || !now.ok) return done({ contested: [], as: null });
  const held = findHeld(paths, request, now.value.tasks);
  const ordered = await readOrder(parts, record, paths, now.value.tasks);
  const contested = held === null || ordered === null ? [] : contestedPhases(ordered, held);
  return done({ contested, as: keepTexts(paths, readTaskTexts(paths, now.value.tasks)) });
}

function withOrdered(record: PlanRecord, ordered: string): PlanRecord {
  const tasks = record.made?.tasks;
  return tasks === undefined ? record : { ...record, made: { ...record.made, tasks: { ...tasks, ordered } } };
}

type HeldTasks = HeldPhases & { readonly texts: TaskTexts };

/** Null: the copies are gone. */
function findHeld(
  paths: PlanPaths,
  { same, as, since, chosen = {}, given = [] }: PhasesArgs,
  tasks: readonly PlanTask[],
): HeldTasks | null {
  const texts = taskCopies(paths, as);
  if (texts === null) return null;
  const before = tasksIn(texts);
  const last = tasksAt(paths, same);
  const agents = since === undefined ? before : tasksAt(paths, since);
  const isTheirs = ({ id, phase }: PlanTask): boolean => {
    const [left, choice] = [agents.get(id), chosen[id]];
    if (left === undefined || left.phase !== phase) return left !== undefined;
    return choice?.phase === phase && choice.work === workDigest(left);
  };
  const theirs = new Set(
    [...before.values()].filter(isTheirs).flatMap(({ id }) => (given.includes(id) ? [] : [id])),
  );
  const held = tasks.flatMap((task) => {
    const was = before.get(task.id);
    if (was === undefined || !isSameWork(was, task)) return [];
    return theirs.has(task.id) || isSameWork(last.get(task.id), task) ? [[task.id, was.phase] as const] : [];
  });
  return { phases: new Map(held), chosen: theirs, texts };
}

function tasksAt(paths: PlanPaths, digest: string | null): ReadonlyMap<string, PlanTask> {
  return tasksIn((digest === null ? null : taskCopies(paths, digest)) ?? new Map());
}

function isSameWork(before: PlanTask | undefined, now: PlanTask): boolean {
  return before !== undefined && workDigest(before) === workDigest(now);
}

/** Null: what the order must obey cannot be read; the validators say why. */
async function readOrder(
  { queries }: HostParts,
  record: PlanRecord,
  paths: PlanPaths,
  tasks: readonly PlanTask[],
): Promise<OrderedTasks | null> {
  const spec = readSpec(paths.dir);
  if (!spec.ok) return null;
  const facts = await factsOfPlan(queries, record, paths, { specText: spec.value, sequenced: true });
  const [capabilities, graph] = [readCapabilityMap(paths.dir, facts), graphOf(nodesOf(tasks))];
  return capabilities.ok && graph.ok
    ? { tasks, capabilities: capabilities.value.value, graph: graph.value }
    : null;
}

function inPhase(text: string, phase: number): string {
  const task = parseJson(text);
  return task.ok && isObject(task.value) ? `${JSON.stringify({ ...task.value, phase }, null, 2)}\n` : text;
}
