import { dirname, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { outlineFlow } from '../flow-file/load-flow.ts';
import { isProject } from '../project.ts';
import type { Variables } from '../state-folder.ts';
import { projectTrust } from './project-trust.ts';
import { projectInRepository, rootFor } from './root.ts';

/**
 * The folder whose trust decides about a file that a person named: the project that it is used in, or the repository or
 * project that it comes from. Null: it comes from neither, and is the person's own.
 */
export function ownerOf(file: string, project: string): string | null {
  const folder = dirname(resolve(file));
  if (isWithin(resolve(project), resolve(file)) && !isNested(folder, project)) return project;
  const other = projectInRepository(folder);
  return isProject(other) || rootFor(other).isGit ? other : null;
}

/** Whether a folder of the project belongs to another repository in it: a submodule, or a clone. A link out of it does not. */
function isNested(folder: string, project: string): boolean {
  const inner = rootFor(folder);
  const outer = rootFor(project);
  return inner.isGit && inner.root !== outer.root && isWithin(outer.checkout, inner.checkout);
}

/** A flow, and the prompts that it takes from files of the repository or project that decides about it. */
export function filesOfFlow(file: string, owner: string, env: Variables): readonly string[] {
  const outline = outlineFlow(file);
  const prompts = outline.ok ? [...outline.value.promptFiles.values()] : [];
  const trust = projectTrust(owner, env);
  return [...new Set([file, ...prompts.filter((prompt) => trust.holds(prompt))])];
}

/** Whether a flow that a person named counts in a project, with its prompts. */
export function countsFlow(file: string, project: string, env: Variables): boolean {
  const owner = ownerOf(file, project);
  if (owner === null) return true;
  const { counts } = projectTrust(owner, env);
  return filesOfFlow(resolve(file), owner, env).every(counts);
}
