import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { families } from '../src/model/family.ts';
import { repository } from './rig/repository.ts';

/** Places that ask for a family by its name instead of asking the table what its runs have in common. */
function namedFamilies(code: string): readonly string[] {
  const names = Object.keys(families).join('|');
  const compared = new RegExp(`workflow\\)? *[!=]== *'(?:${names})'|case '(?:${names})':`, 'g');
  return [...code.matchAll(compared)].map(([found]) => found);
}

test('no code outside the table decides by the name of a family', () => {
  const files = globSync('src/**/*.ts', { cwd: repository('.') }).filter(
    (path) => !path.endsWith('.test.ts') && path !== 'src/model/family.ts',
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((path) =>
    namedFamilies(readFileSync(repository(path), 'utf8')).map((place) => `${path}: ${place}`),
  );
  expect(found).toEqual([]);
});

test('control: a comparison with the name of a family is found', () => {
  expect(namedFamilies("if (run.workflow === 'execute') land();\nswitch (x) { case 'session': }")).toEqual([
    "workflow === 'execute'",
    "case 'session':",
  ]);
});
