import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../lib/path-below.ts';
import { readText, type Unreadable } from '../lib/read-text.ts';
import type { Result } from '../lib/result.ts';
import { checkConfinement, confinedVariable, type Confinement } from '../model/command-relay.ts';
import { parseJson } from '../model/schemas/json-text.ts';
import { refusal, type Refusal } from './refusal.ts';
import type { Variables } from './state-folder.ts';

/**
 * Whether this command is carried out for an agent in a sandbox, and what that agent may name. Null: it is not. A command runs
 * outside the sandbox and could read and write more than its agent, so what its arguments name has to be looked at.
 */
export function confinementOf(env: Variables): Confinement | null {
  const told = env[confinedVariable];
  if (told === undefined) return null;
  const json = parseJson(told);
  // A value that cannot be read confines to nothing at all.
  return (json.ok ? checkConfinement(json.value) : null) ?? { project: '', places: [] };
}

/** The text of a file that an argument names. */
export function readNamedFile(path: string, maxBytes: number, env: Variables): Result<string, Unreadable> {
  const confined = confinementOf(env);
  const links = 'follow';
  return readText(
    path,
    confined === null ? { maxBytes, links } : { maxBytes, links, within: confined.places },
  );
}

/**
 * Why a sandboxed agent may not work in this project; null: it may. Compared as text: the agent cannot replace a folder above its
 * project, and could replace one in its workspace by a link.
 */
export function refuseProject(root: string, env: Variables): Refusal | null {
  const confined = confinementOf(env);
  if (confined === null || [confined.project, realPath(confined.project)].includes(root)) return null;
  const message = `an agent in a sandbox may use only its own project, ${confined.project}, and not ${root}`;
  return refusal('USAGE', message, `call tutti in a folder of ${confined.project}`);
}

/** Why a sandboxed agent may not name this folder; null: it may. It need not exist yet. */
export function refuseFolder(path: string, env: Variables): Refusal | null {
  const confined = confinementOf(env);
  if (confined === null || confined.places.some((place) => isWithin(place, realPath(path)))) return null;
  const message = `an agent in a sandbox may not name the folder ${path.slice(0, 200)}`;
  return refusal('USAGE', message, 'name a folder of the project');
}

/** Of a path that does not exist, where its nearest folder really is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}
