import { isObject, type JsonObject } from '../../lib/json.ts';

/** A command as a program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** What discovery saw of a project, as data: every fact is computed from it, and nothing of the project is started. */
export interface ProjectFiles {
  /** Relative paths of files and folders; folders end in `/`. Sorted. */
  readonly entries: readonly string[];
  /** Texts of the files that say how the project is built, by path. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Files in the root whose text, or whose presence, says how the project is built. */
export const manifestNames = [
  'package.json',
  'deno.json',
  'deno.jsonc',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'requirements.txt',
  'requirements-dev.txt',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  'tsconfig.json',
  'yarn.lock',
] as const;

export function hasFile({ entries }: ProjectFiles, path: string): boolean {
  return entries.includes(path);
}

export function textIn({ texts }: ProjectFiles, path: string): string {
  return new Map(Object.entries(texts)).get(path) ?? '';
}

/** The object in a JSON file; null: there is none. Comments that fill whole lines are allowed, as in `deno.jsonc`. */
export function jsonIn(project: ProjectFiles, path: string): JsonObject | null {
  const text = textIn(project, path).replaceAll(/^\s*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)$/gm, '');
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** The member of an object that is an object itself; empty where there is none. */
export function objectMember(json: JsonObject | null, name: string): JsonObject {
  const found = json !== null && Object.hasOwn(json, name) ? json[name] : undefined;
  return isObject(found) ? found : {};
}

/** Documents and files about the repository itself; a folder with nothing else holds no source yet. */
const furniture =
  /(?:^|\/)(?:README|LICEN[CS]E|COPYING|NOTICE|CHANGELOG|CODEOWNERS|AUTHORS)(?:\.\w+)?$|\.(?:md|mdx|txt|rst|adoc|pdf|png|jpe?g|gif|svg|webp|ico)$|(?:^|\/)\.[^/]+$|^\.github\/|^tutti\.yaml$/i;

/** Whether there is anything to follow: a repository with documents alone is a new project. */
export function hasSources(entries: readonly string[]): boolean {
  return entries.some((path) => !path.endsWith('/') && !furniture.test(path));
}
