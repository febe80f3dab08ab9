import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { contentAddress } from '../lib/digest.ts';
import { errorCode } from '../lib/error-code.ts';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import type { Surface } from '../model/trust.ts';
import { includeFile, projectPlaces, type SurfacePlace } from '../model/trust-surfaces.ts';
import { factsOf, foldersUpTo, realOf } from './trust-root.ts';

/** What a checkout brings for CLIs that are started in a folder of it and look there. Only names are looked at. */
export function surfacesAround(
  folder: string,
  checkout: string,
  places: readonly SurfacePlace[],
): readonly Surface[] {
  const found = new Map<string, Surface>();
  for (const at of foldersUpTo(folder, checkout)) {
    for (const { cli, power, at: place } of places) {
      for (const name of namesOf(at, place)) {
        const path = relative(checkout, join(at, name));
        const key = `${cli} ${path}`;
        if (!found.has(key)) found.set(key, { cli, power, path });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** What the project in a folder brings for Tutti itself; paths are from the root of the checkout. */
export function projectSurfaces(project: string, checkout: string): readonly Surface[] {
  const real = realOf(project) ?? project;
  return projectPlaces.flatMap(({ cli, power, at, named = /./ }) => {
    const root = at === includeFile ? checkout : real;
    return namesOf(root, at)
      .filter((name) => named.test(basename(name)) && loads(join(root, name), at))
      .map((name) => ({ cli, power, path: relative(checkout, join(root, name)) }));
  });
}

/** A folder below `agents` or `skills` that holds neither is source code, and of no interest. */
function loads(path: string, place: string): boolean {
  const name = basename(path);
  const isFolder = factsOf(realOf(path) ?? path)?.isDirectory() === true;
  if (place === 'agents/*') {
    const inside = [`${name}-agent.md`, `${name}.md`];
    return isFolder ? inside.some((each) => factsOf(join(path, each)) !== null) : name.endsWith('.md');
  }
  return !place.endsWith('skills/*') || factsOf(join(path, 'SKILL.md')) !== null;
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
/** As large as the largest file that Tutti reads; a larger one is known by its facts, one of which no archive can set. */
const maxBytes = 16 * 1024 * 1024;

/**
 * A name for what a surface holds now, with what its links lead to. More files than a person could mean have no name that
 * is ever the same: what lies beyond the limit could change unseen.
 */
export function surfaceDigest(checkout: string, { path }: Pick<Surface, 'path'>): string {
  const left = { files: maxFiles };
  const digest = digestBelow(checkout, path, left);
  return left.files > 0 ? digest : randomBytes(16).toString('hex');
}

function digestBelow(checkout: string, path: string, left: { files: number }): string {
  const lines: string[] = [];
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined && left.files > 0; at = waiting.pop()) {
    const full = join(checkout, at);
    const facts = factsOf(full);
    if (facts === null) continue;
    left.files -= 1;
    if (facts.isDirectory()) {
      const below = at;
      waiting.push(
        ...entriesOf(full)
          .map((name) => `${below}/${name}`)
          .toSorted()
          .toReversed(),
      );
    } else if (facts.isSymbolicLink()) {
      const real = realOf(full);
      // Whoever reads through the link reads this: it may change while the link stays.
      const behind = real === null ? 'nothing' : digestBelow(real, '', left);
      lines.push(`${at} link ${readlinkSync(full)} ${behind}`);
    } else if (facts.isFile() && facts.size <= maxBytes) lines.push(`${at} ${facts.mode} ${contentOf(full)}`);
    else lines.push(`${at} ${facts.mode} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}`);
  }
  return contentAddress(lines.join('\n')).slice(0, 32);
}

function contentOf(path: string): string {
  try {
    // In full: whoever writes both the harmless and the harmful file could search for two that share a short one.
    return hash('sha256', readFileSync(path), 'hex');
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return `cannot be read (${errorCode(error)})`;
  }
}
