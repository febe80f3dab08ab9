import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile, programFile, programSources } from './package-files.ts';

const bundled = 'file:///opt/tutti/dist/chunks/start-1a2b3c.js';

test('programs and files of the sources exist', () => {
  const programs = Object.keys(programSources) as (keyof typeof programSources)[];
  const paths = [...programs.map((name) => programFile(name)), packageFile('tutti'), packageFile('docs')];
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('a bundled module finds the built programs, and the files beside them', () => {
  expect(programFile('player', bundled)).toBe('/opt/tutti/dist/programs/player.js');
  expect(packageFile('tutti', bundled)).toBe('/opt/tutti/bin/tutti.js');
});
