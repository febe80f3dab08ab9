import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { timesAsked } from './tally.ts';

test('each session has its place, and keeps it; other questions and other cassettes are counted apart', () => {
  using folder = tempFolder();
  const asked = (sessionId: string, conditions = 'aaaa', cassette = '/c') =>
    timesAsked({ projectDir: folder.path, cassette, sessionId, conditions });
  expect([asked('s1'), asked('s2'), asked('s1'), asked('s3')]).toEqual([1, 2, 1, 3]);
  expect([asked('s4', 'bbbb'), asked('s5', 'aaaa', '/d'), asked('s6')]).toEqual([1, 1, 4]);
});

test('where nothing can be kept, everybody is the first', () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, '.tutti'), 'no folder');
  const asking = { projectDir: folder.path, cassette: '/c', conditions: 'aaaa' };
  expect([timesAsked({ ...asking, sessionId: 'a' }), timesAsked({ ...asking, sessionId: 'b' })]).toEqual([
    1, 1,
  ]);
});

test('a line that somebody tore does not move the places of the others', () => {
  using folder = tempFolder();
  const asking = { projectDir: folder.path, cassette: '/c', conditions: 'aaaa' };
  mkdirSync(join(folder.path, '.tutti'));
  expect(timesAsked({ ...asking, sessionId: 'a' })).toBe(1);
  expect(timesAsked({ ...asking, sessionId: 'b', conditions: 'cc' })).toBe(1);
  expect(timesAsked({ ...asking, sessionId: 'c' })).toBe(2);
});
