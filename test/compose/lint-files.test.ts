import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintFiles, lintProject } from '../../src/app/compose/lint-compositions.ts';
import { lintRules } from '../../src/model/compose/lint-rules.ts';
import { write } from '../cli/project.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { invalidLayers } from './invalid-layers.ts';
import { invalidMembers } from './invalid-members.ts';
import { soundFiles } from './sound-files.ts';

const maxDepth = 10;
const invalidFiles = [...invalidLayers, ...invalidMembers];

test('there are at least 40 invalid files and 20 sound ones', () => {
  expect(invalidFiles.length).toBeGreaterThanOrEqual(40);
  expect(soundFiles.length).toBeGreaterThanOrEqual(20);
});

test.for(invalidFiles)('the lint refuses $about with file, line and rule', ({ path, text, errors }) => {
  using folder = tempFolder();
  write(join(folder.path, 'compose'), { [path]: text });
  const { findings } = lintProject({ root: folder.path, maxDepth });
  const found = findings.filter(({ severity }) => severity === 'error');
  expect(found.map(({ line, rule }) => `${line ?? '-'} ${rule}`)).toEqual(errors);
  for (const { file, message } of found) {
    expect(file).toBe(`compose/${path}`);
    expect(message).toMatch(/^[^\n]{8,300}$/);
  }
  const named = lintFiles({ root: folder.path, maxDepth }, [`compose/${path}`], folder.path, undefined);
  expect(named.findings).toEqual(findings);
});

test.for(soundFiles)('the lint passes $path', ({ path, text, beside = {} }) => {
  using folder = tempFolder();
  write(join(folder.path, 'compose'), { [path]: text, ...beside });
  const { findings, files } = lintProject({ root: folder.path, maxDepth });
  expect(findings).toEqual([]);
  expect(files).toBe(1);
});

test('each rule for errors is broken by an invalid file', () => {
  const broken = new Set(invalidFiles.flatMap(({ errors }) => errors.map((error) => error.split(' ')[1])));
  const errors = Object.entries(lintRules).filter(([, { severity }]) => severity === 'error');
  // A second file with the same name is tested with the folder as a whole.
  expect(errors.map(([id]) => id).filter((id) => !broken.has(id))).toEqual(['two-files']);
});
