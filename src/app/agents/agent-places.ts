import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolders } from '../../drivers/cli-facts.ts';
import { isSafeName } from '../../lib/ids.ts';
import { builtInAgents } from './built-in/index.ts';

/** A project that agents and skills are taken from, and what of it counts. */
export interface AgentSource {
  readonly paths: { readonly root: string };
  readonly trust: { readonly counts: (path: string) => boolean };
}

/** The end of a sentence about a file that exists and does not count. */
export const notTrusted = 'of this repository is not trusted: look at it, then: tutti trust';

/** Where an agent of that name may stand in a project, strongest first. */
export function agentPaths(name: string): readonly string[] {
  return [
    `agents/${name}.md`,
    `agents/${name}/${name}-agent.md`,
    `agents/${name}/${name}.md`,
    ...agentFolders.map((folder) => `${folder}/${name}.md`),
  ];
}

/** Every name under which a project has an agent, built-in ones too, in alphabetical order. */
export function agentNames(projectDir: string): readonly string[] {
  return [...new Set([...builtInAgents.keys(), ...ownAgentNames(projectDir)])].toSorted();
}

/** Names of the agents that the project itself has. */
export function ownAgentNames(projectDir: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const folder of ['agents', ...agentFolders]) {
    for (const entry of entriesOf(join(projectDir, folder))) {
      const inFolder = entry.isDirectory() && folder === 'agents' && holdsAgent(projectDir, entry.name);
      const name = inFolder ? entry.name : /^(.+)\.md$/.exec(entry.name)?.[1];
      if (name !== undefined && isSafeName(name)) names.add(name);
    }
  }
  return names;
}

function holdsAgent(projectDir: string, name: string): boolean {
  const names = new Set([`${name}-agent.md`, `${name}.md`]);
  return entriesOf(join(projectDir, 'agents', name)).some((entry) => names.has(entry.name));
}

/** A folder that is not there, or may not be read, holds nothing. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
