import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { digest, digestText } from '../../../lib/digest.ts';
import { recorded } from '../../../lib/json.ts';
import { isMachineTrouble } from '../../../lib/machine-trouble.ts';
import type { Completion } from '../../../model/entry.ts';
import type { PreparedFiles, WrittenFiles } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/plan/workspace.ts';
import { landedTouching } from '../../../workspace/landed.ts';
import { changedFiles } from '../../../workspace/seal.ts';
import { uncommittedFiles } from '../../../workspace/uncommitted.ts';
import { done } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';

interface WrittenArgs {
  readonly task: string;
  readonly target: Target;
  readonly workspace: Workspace;
  /** Declared ones. */
  readonly paths: readonly string[];
  readonly prepared: PreparedFiles;
}

/** What the workspace holds beyond its base. */
export async function taskWritten({ args }: PlanHostTask): Promise<Completion> {
  const { task, target, workspace, paths, prepared } = recorded<WrittenArgs>(args);
  const files = await changedFiles(target, workspace);
  const landedBefore = (await landedTouching(target, paths)).includes(task);
  if (!files.ok) return done(unlandable(files.error, landedBefore));
  const { created, modified, deleted, tree } = files.value;
  const own = created.filter((path) => prepared[path] !== contentsOf(workspace.dir, [path]));
  const isEmpty = own.length + modified.length + deleted.length === 0;
  const elsewhere = isEmpty
    ? (await uncommittedFiles(target.dir)).filter((path) => paths.includes(path))
    : [];
  const written: WrittenFiles = {
    files: { created: own, modified, deleted },
    digest: contentsOf(workspace.dir, [...own, ...modified, ...deleted]),
    tree,
    problem: null,
    landedBefore,
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
  };
  return done(written);
}

function unlandable(problem: string, landedBefore: boolean): WrittenFiles {
  return {
    files: { created: [], modified: [], deleted: [] },
    digest: digestText(problem),
    problem,
    landedBefore,
  };
}

export function contentsOf(dir: string, paths: readonly string[]): string {
  return digest(paths.toSorted().map((path) => [path, contentOf(join(dir, path))]));
}

function contentOf(path: string): string | null {
  try {
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
    return facts.isFile() ? `${facts.mode & 0o100} ${digestText(readFileSync(path))}` : null;
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}
