import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { contentAddress, digestText } from '../lib/digest.ts';
import { errorCode } from '../lib/error-code.ts';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import type { Surface } from '../model/trust.ts';
import { surfacePlaces } from '../model/trust-surfaces.ts';
import { factsOf, foldersUpTo } from './trust-root.ts';

/** What a checkout brings for a CLI that is started in a folder of it. Only names are looked at. */
export function surfacesAround(folder: string, checkout: string): readonly Surface[] {
  const found = new Map<string, Surface>();
  for (const at of foldersUpTo(folder, checkout)) {
    for (const { cli, power, at: place } of surfacePlaces) {
      for (const name of namesOf(at, place)) {
        const path = relative(checkout, join(at, name));
        const key = `${cli} ${path}`;
        if (!found.has(key)) found.set(key, { cli, power, path });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A link counts as what it leads to: the process that follows it will. */
function namesOf(folder: string, place: string): readonly string[] {
  if (!place.endsWith('/*')) return factsOf(join(folder, place)) !== null ? [place] : [];
  const parent = place.slice(0, -2);
  return entriesOf(join(folder, parent)).map((name) => `${parent}/${name}`);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return factsOf(folder) === null ? [] : readdirSync(folder);
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return [];
  }
}

const maxFiles = 2000;
const maxBytes = 4 * 1024 * 1024;

/** A name for what a surface holds now; what is too large to read is known by its facts. */
export function surfaceDigest(checkout: string, { path }: Pick<Surface, 'path'>): string {
  const lines: string[] = [];
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined && lines.length < maxFiles; at = waiting.pop()) {
    const full = join(checkout, at);
    const facts = factsOf(full);
    if (facts === null) continue;
    if (facts.isDirectory()) {
      const below = at;
      waiting.push(
        ...entriesOf(full)
          .map((name) => `${below}/${name}`)
          .toSorted()
          .toReversed(),
      );
    } else if (facts.isSymbolicLink()) lines.push(`${at} link ${readlinkSync(full)}`);
    else if (facts.isFile() && facts.size <= maxBytes) lines.push(`${at} ${facts.mode} ${contentOf(full)}`);
    else lines.push(`${at} ${facts.mode} ${facts.size} ${facts.mtimeMs}`);
  }
  return contentAddress(lines.join('\n')).slice(0, 32);
}

function contentOf(path: string): string {
  try {
    return digestText(readFileSync(path));
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return `cannot be read (${errorCode(error)})`;
  }
}
