import { dirname, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { outlineFlow } from '../flow-file/load-flow.ts';
import { findProject, isProject } from '../project.ts';
import type { Variables } from '../state-folder.ts';
import { projectTrust } from './project-trust.ts';
import { rootFor } from './root.ts';

/**
 * The folder whose trust decides about a file that a person named: the project that it is used in, or the repository or
 * project that it comes from. Null: it comes from neither, and is the person's own.
 */
export function ownerOf(file: string, project: string): string | null {
  if (isWithin(resolve(project), resolve(file))) return project;
  const other = findProject(dirname(file));
  return isProject(other) || rootFor(other).isGit ? other : null;
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
