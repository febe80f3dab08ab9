import { found } from '../../lib/found.ts';
import type { Graph } from '../graph.ts';
import { type PlanFacts, type PlanIssue, taskFile } from './plan-facts.ts';
import type { PlanTask, TaskFile } from './plan-task.ts';
import { withoutWay } from './reach.ts';
import { pathTrouble } from './target-path.ts';

/** A file of a task, and where it is written. */
interface Owned {
  readonly task: string;
  readonly index: number;
  readonly file: TaskFile;
}

/** The files of all tasks, against the target and against each other. Without a graph nothing can be said of an order. */
export function fileIssues(
  tasks: readonly PlanTask[],
  graph: Graph | null,
  facts: PlanFacts,
): readonly PlanIssue[] {
  const issues: PlanIssue[] = [];
  const say = ({ task, index }: Owned, message: string): unknown =>
    issues.push({ file: taskFile(task), path: ['files', index, 'path'], message });
  const sound = tasks.flatMap(({ id, files }) =>
    files
      .map((file, index): Owned => ({ task: id, index, file }))
      .filter((owned) => {
        const trouble = placeTrouble(owned.file.path, facts);
        if (trouble !== null) say(owned, trouble);
        return trouble === null;
      }),
  );
  const byPath = Map.groupBy(sound, ({ file }) => file.path);
  for (const owners of byPath.values()) ownerIssues(owners, say);
  for (const owned of sound) {
    const folder = parentsOf(owned.file.path).find((parent) => byPath.has(parent));
    if (folder !== undefined) {
      const [other] = found(byPath, folder);
      say(owned, `lies in ${folder}, which is a file of ${String(other?.task)}`);
    }
  }
  standingIssues(sound, byPath, graph, facts, say);
  return issues;
}

type Tell = (owned: Owned, message: string) => unknown;

function placeTrouble(path: string, facts: PlanFacts): string | null {
  const trouble = pathTrouble(path);
  if (trouble !== null) return trouble;
  const standing = facts.standing(path);
  if (standing === 'outside') return 'leads out of the target directory through a link';
  return standing === 'folder' && !facts.touched(path) ? 'is a directory of the target' : null;
}

/** Several tasks may change a file, one after the other; only one can create it, and one delete it. */
function ownerIssues(owners: readonly Owned[], say: Tell): void {
  const first = new Map<string, Owned>();
  const tasks = new Set<string>();
  for (const owned of owners) {
    const { action } = owned.file;
    const other = first.get(action);
    if (tasks.has(owned.task)) say(owned, 'is named twice in this task');
    else if (action !== 'modify' && other !== undefined)
      say(owned, `is ${past[action]} by ${other.task} already`);
    else first.set(action, owned);
    tasks.add(owned.task);
  }
}

function parentsOf(path: string): readonly string[] {
  const parents: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    parents.push(path.slice(0, at));
  }
  return parents;
}

/** What is to be created must not be there, and what is to be changed must: in the target, or by a task that is needed. */
function standingIssues(
  sound: readonly Owned[],
  byPath: ReadonlyMap<string, readonly Owned[]>,
  graph: Graph | null,
  facts: PlanFacts,
  say: Tell,
): void {
  const later: { readonly from: string; readonly to: string; readonly owned: Owned }[] = [];
  for (const owned of sound) {
    const { path, action } = owned.file;
    if (facts.touched(path)) continue;
    const exists = facts.standing(path) === 'file';
    if (action === 'create') {
      if (exists && facts.projectType === 'existing') say(owned, 'exists already: its action must be modify');
      continue;
    }
    if (exists) continue;
    const creator = byPath.get(path)?.find(({ file }) => file.action === 'create');
    if (creator === undefined)
      say(owned, `does not exist and no task creates it: it cannot be ${past[action]}`);
    else if (creator.task !== owned.task) later.push({ from: creator.task, to: owned.task, owned });
  }
  if (graph === null) return;
  for (const { owned, from } of withoutWay(graph, later)) {
    say(owned, `is created by ${from}: ${owned.task} must depend on it`);
  }
}

const past = { create: 'created', modify: 'modified', delete: 'deleted' } as const;
