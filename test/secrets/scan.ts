import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Planted } from './planted.ts';

/**
 * Files that are raw by design, for their owner only: what an agent was given and what it and commands wrote, and values
 * that must come back whole.
 */
const raw =
  /^(?:sessions\/[^/]+\/(?:prompt\.md|stdin|output\.log|(?:accepted-)?result\.json)|runs\/[^/]+\/tasks\/[^/]+output\.log|private\/[0-9a-f]{64}\.json)$/;

/** Which secrets a text holds. */
export function foundIn(text: string | Buffer, planted: readonly Planted[]): readonly string[] {
  return planted.filter(({ texts }) => texts.some((each) => text.includes(each))).map(({ what }) => what);
}

export interface Leak {
  readonly file: string;
  readonly what: readonly string[];
}

/**
 * Every byte below `.tutti`, except what is raw by design. A view that a living process replaces meanwhile moves from its
 * temporary name to its own, so the folder is read again until every listed file could be read.
 */
export function leaksBelow(state: string, planted: readonly Planted[]): readonly Leak[] {
  for (let round = 0; round < 100; round += 1) {
    const contents = filesBelow(state)
      .filter((path) => !raw.test(relative(state, path)))
      .map((path) => ({ file: relative(state, path), content: readIfThere(path) }));
    if (contents.some(({ content }) => content === undefined)) continue;
    return contents
      .map(({ file, content }) => ({ file, what: foundIn(content ?? '', planted) }))
      .filter(({ what }) => what.length > 0);
  }
  throw new Error(`files below ${state} vanished in each of 100 scans`);
}

/** Those that are raw, with who may read them. */
export function rawFiles(state: string): readonly { readonly file: string; readonly closed: boolean }[] {
  return filesBelow(state)
    .map((path) => ({ path, file: relative(state, path) }))
    .filter(({ file }) => raw.test(file))
    .map(({ path, file }) => ({ file, closed: isClosed(path) }));
}

/** For its owner only, by itself or by the folder around it, which agents cannot open again. */
function isClosed(path: string): boolean {
  const folder = statSync(dirname(path)).mode & 0o777;
  const ours = !path.endsWith('result.json');
  return folder === 0o700 && (!ours || (statSync(path).mode & 0o777) === 0o600);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
