import { join } from 'node:path';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { readText } from '../../../lib/read-text.ts';
import { parseJson } from '../../../model/schemas/json-text.ts';

const maxRead = 1024 * 1024;
const maxTold = 6_000;

const names = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'Makefile',
  'requirements.txt',
  'setup.py',
  'tsconfig.json',
] as const;

export type ConfigName = (typeof names)[number];

export interface ConfigFile {
  readonly name: ConfigName;
  readonly text: string;
}

/** The files that say how a project is built, as far as they can be read. */
export function configFiles(targetDir: string): readonly ConfigFile[] {
  return names.flatMap((name) => {
    const text = readText(join(targetDir, name), { maxBytes: maxRead, links: 'refuse' });
    return text.ok ? [{ name, text: text.value }] : [];
  });
}

/** The part of a configuration file that somebody who plans needs: what is depended on, and what can be run. */
export function relevantPart({ name, text }: ConfigFile): string {
  const part = name === 'package.json' ? packagePart(text) : text;
  return part.length > maxTold ? `${part.slice(0, maxTold)}\n…` : part;
}

const packageMembers = [
  'name',
  'type',
  'main',
  'bin',
  'exports',
  'engines',
  'packageManager',
  'scripts',
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'workspaces',
];

function packagePart(text: string): string {
  const json = packageOf(text);
  if (json === null) return text;
  const part = Object.fromEntries(
    packageMembers.flatMap((each) => (each in json ? [[each, json[each]]] : [])),
  );
  return JSON.stringify(part, null, 2);
}

/** Null: it is no JSON object. */
export function packageOf(text: string): JsonObject | null {
  const json = parseJson(text);
  return json.ok && isObject(json.value) ? json.value : null;
}
