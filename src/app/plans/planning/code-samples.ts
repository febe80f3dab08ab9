import { join } from 'node:path';
import { readText } from '../../../lib/read-text.ts';

const most = 6;
const maxRead = 256 * 1024;
const maxTold = 1_200;
const source = /\.(?:py|ts|tsx|js|mjs|jsx|go|rs|java|kt|rb|php|c|h|cpp|cs|swift)$/;
const test = /(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.|_test\.|(?:^|\/)test_/;

export interface CodeSample {
  readonly path: string;
  readonly text: string;
}

/** The beginnings of some source files and one test, so that planners see how the project writes. */
export function codeSamples(targetDir: string, entries: readonly string[]): readonly CodeSample[] {
  const sources = entries.filter((path) => source.test(path));
  const plain = spread(
    sources.filter((path) => !test.test(path)),
    most - 1,
  );
  const tests = sources.filter((path) => test.test(path)).slice(0, 1);
  return [...plain, ...tests].flatMap((path) => {
    const text = readText(join(targetDir, path), { maxBytes: maxRead, links: 'refuse' });
    return text.ok && text.value.trim() !== '' ? [{ path, text: begin(text.value) }] : [];
  });
}

function begin(text: string): string {
  return text.length > maxTold ? `${text.slice(0, maxTold)}\n…` : text.trimEnd();
}

/** Some from everywhere, not only what sorts first. */
function spread(paths: readonly string[], wanted: number): readonly string[] {
  if (paths.length <= wanted) return paths;
  return Array.from(
    { length: wanted },
    (_, index) => paths[Math.floor((index * paths.length) / wanted)] ?? '',
  );
}
