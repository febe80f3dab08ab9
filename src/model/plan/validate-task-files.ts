import type { Graph } from '../graph.ts';
import { type PlanFacts, type PlanIssue, type Standing, taskFile } from './plan-facts.ts';
import type { PlanTask, TaskFile } from './plan-task.ts';
import { unorderedPairs } from './unordered-pairs.ts';
import { pathTrouble } from './target-path.ts';

/** A file of a task, and where it is written. */
interface Owned {
  readonly task: string;
  readonly index: number;
  readonly file: TaskFile;
  readonly standing: Standing;
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
  const sound: Owned[] = [];
  for (const { id, files } of tasks) {
    for (const [index, file] of files.entries()) {
      const wrong = pathTrouble(file.path);
      const owned = {
        task: id,
        index,
        file,
        standing: wrong === null ? facts.standing(file.path) : 'absent',
      } as const;
      const trouble = wrong ?? placeTrouble(owned, facts);
      if (trouble === null) sound.push(owned);
      else say(owned, trouble);
    }
  }
  const byPath = Map.groupBy(sound, ({ file }) => file.path);
  for (const owners of byPath.values()) if (owners.length > 1) ownerIssues(owners, say);
  nestingIssues(byPath, say);
  standingIssues(sound, byPath, graph, facts, say);
  return issues;
}

type Tell = (owned: Owned, message: string) => unknown;

function placeTrouble({ file, standing }: Owned, facts: PlanFacts): string | null {
  if (standing === 'outside') return 'leads out of the target directory through a link';
  return standing === 'folder' && !facts.touched(file.path) ? 'is a directory of the target' : null;
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

/** What is a file for one task cannot be a directory for another. */
function nestingIssues(byPath: ReadonlyMap<string, readonly Owned[]>, say: Tell): void {
  const folders = new Set<string>();
  for (const path of byPath.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  for (const folder of folders) {
    const [file] = byPath.get(folder) ?? [];
    if (file === undefined) continue;
    for (const [path, [owned]] of byPath) {
      if (owned !== undefined && path.startsWith(`${folder}/`)) {
        say(owned, `lies in ${folder}, which is a file of ${file.task}`);
      }
    }
  }
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
    const exists = owned.standing === 'file';
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
  for (const { owned, from } of unorderedPairs(graph, later)) {
    say(owned, `is created by ${from}: ${owned.task} must depend on it`);
  }
}

const past = { create: 'created', modify: 'modified', delete: 'deleted' } as const;
