import { firstFew } from '../../lib/first-few.ts';
import type { ChangedFiles, CheckedCriterion } from './task-state.ts';
import type { SealedWork } from '../workspace.ts';

/** What an agent that works in the operator's own checkout says, and what is to be seen there. */
export interface Claim {
  /** Files that are the task's to write. */
  readonly declared: readonly string[];
  /** What it says that it wrote. Paths are relative to the target. */
  readonly claimed: ChangedFiles;
  /** What is different since it began. */
  readonly changes: SealedWork['files'];
  /** Files of tasks that were at work meanwhile in the same folder: what changed there is theirs. */
  readonly others: ReadonlySet<string>;
}

export interface JudgedClaim {
  /** What the task itself wrote. */
  readonly own: SealedWork['files'];
  /** What it wrote beyond its files. */
  readonly undeclared: readonly string[];
  readonly findings: readonly CheckedCriterion[];
}

const shown = 20;

/** Whether the files are what they are said to be; what they do is for the acceptance criteria to say. */
export function judgeClaim({ declared: paths, claimed, changes, others }: Claim): JudgedClaim {
  const declared = new Set(paths);
  const isOwn = (path: string): boolean => declared.has(path) || !others.has(path);
  const own = {
    created: changes.created.filter(isOwn),
    modified: changes.modified.filter(isOwn),
    deleted: changes.deleted.filter(isOwn),
  };
  const all = [...own.created, ...own.modified, ...own.deleted];
  const undeclared = undeclaredPaths(all, declared);
  const there = new Set(all);
  const invented = [...claimed.created, ...claimed.modified]
    .map(plainPath)
    .filter((path) => !there.has(path));
  return {
    own,
    undeclared,
    findings: [
      finding('something changed', all.length > 0, all, 'nothing changed since the task was started'),
      finding(
        'only declared files changed',
        undeclared.length === 0,
        all,
        `not declared: ${firstFew(undeclared, shown)}`,
      ),
      finding(
        'claimed files changed',
        invented.length === 0,
        all,
        `not changed: ${firstFew(invented, shown)}`,
      ),
    ],
  };
}

/** What was written beyond the files that are a task's to write. */
export function undeclaredPaths(paths: readonly string[], declared: ReadonlySet<string>): readonly string[] {
  return paths.filter((path) => !declared.has(path));
}

/** `./a//b` is `a/b`: agents write paths as they come. */
function plainPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function finding(name: string, passed: boolean, all: readonly string[], why: string): CheckedCriterion {
  return passed
    ? { name, status: 'PASS', evidence: firstFew(all, shown) }
    : { name, status: 'FAIL', evidence: why };
}
