import { commandFolders } from '../../drivers/cli-facts.ts';
import { isSafeName } from '../../lib/ids.ts';
import { composeLayers, type ComposeLayer, layerFolders } from '../../model/compose/layer.ts';
import { agentPaths, entriesOf, ownAgentNames } from '../agents/agent-places.ts';
import { projectSkillFolders } from '../agents/find-skill.ts';
import { join } from 'node:path';

/** How the file of a definition may end. Markdown is a system prompt, the others are configurations. */
export const definitionEndings = ['yaml', 'json', 'md'] as const;

/** Where the definitions of a layer stand in a project. */
export function layerPath(layer: ComposeLayer): string {
  return `compose/${layerFolders[layer]}`;
}

/** Files below `compose/` that may define a name in a layer. */
export function definitionPaths(layer: ComposeLayer, name: string): readonly string[] {
  return definitionEndings.map((ending) => `${layerPath(layer)}/${name}.${ending}`);
}

/** Agents, skills and commands of the project that work as an executor of that name, strongest first. */
export function borrowedPaths(name: string): readonly string[] {
  return [
    ...commandFolders.map((folder) => `${folder}/${name}.md`),
    ...projectSkillFolders.map((folder) => `${folder}/${name}/SKILL.md`),
    ...agentPaths(name),
  ];
}

/** Every name that files of the project have in a layer. */
export function projectNames(root: string, layer: ComposeLayer): ReadonlySet<string> {
  const own = listDefinitionFiles(root, layer).map(({ name }) => name);
  return new Set(layer === 'executor' ? [...own, ...borrowedNames(root)] : own);
}

function borrowedNames(root: string): readonly string[] {
  const commands = commandFolders.flatMap((folder) =>
    entriesOf(join(root, folder)).flatMap(({ name }) => /^(.+)\.md$/.exec(name)?.[1] ?? []),
  );
  const skills = projectSkillFolders.flatMap((folder) =>
    entriesOf(join(root, folder))
      .map(({ name }) => name)
      .filter((name) => entriesOf(join(root, folder, name)).some((entry) => entry.name === 'SKILL.md')),
  );
  return [...commands, ...skills, ...ownAgentNames(root)].filter(isSafeName);
}

export interface DefinitionFile {
  readonly layer: ComposeLayer;
  readonly name: string;
  /** Relative to the project. */
  readonly path: string;
}

/** The files of a layer that have a name that a definition may have; folders beside them hold prompts. */
export function listDefinitionFiles(root: string, layer: ComposeLayer): readonly DefinitionFile[] {
  const folder = layerPath(layer);
  return entriesOf(join(root, folder))
    .filter((entry) => !entry.isDirectory() && !isIgnored(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .flatMap((file) => {
      const name = readDefinitionName(file);
      return name === null ? [] : [{ layer, name, path: `${folder}/${file}` }];
    });
}

/** The name that a file defines; null: no definition has such a file. */
export function readDefinitionName(file: string): string | null {
  const [, name = '', ending = ''] = /^(.+)\.([a-z]+)$/.exec(file) ?? [];
  return isSafeName(name) && definitionEndings.some((each) => each === ending) ? name : null;
}

/** Entries of `compose/` and its folders that no layer uses, relative to the project. */
export function listStrayFiles(root: string): readonly string[] {
  const folders: ReadonlySet<string> = new Set(Object.values(layerFolders));
  const outside = entriesOf(join(root, 'compose'))
    .filter(({ name }) => !folders.has(name) && !isIgnored(name))
    .map(({ name }) => `compose/${name}`);
  const inside = composeLayers.flatMap((layer) =>
    entriesOf(join(root, layerPath(layer)))
      .filter((entry) => !entry.isDirectory() && !isIgnored(entry.name))
      .filter(({ name }) => readDefinitionName(name) === null)
      .map(({ name }) => `${layerPath(layer)}/${name}`),
  );
  return [...outside, ...inside].toSorted();
}

/** Hidden files, and notes for people. */
function isIgnored(name: string): boolean {
  return name.startsWith('.') || /^readme\b/i.test(name);
}
