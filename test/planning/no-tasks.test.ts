import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, type CliOptions } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { writePlannerProject } from './project.ts';

const planned = [
  'plan',
  'numerals.md',
  '--target',
  'target',
  '--new',
  '--stack',
  'plain JavaScript',
] as const;

/** A project whose author ends twice like that. */
function project(step: 'logical' | 'definition', misdeed: 'forget' | 'drop') {
  const folder = tempFolder();
  writePlannerProject(folder.path);
  const mood = [step, `${step}/heal-1`].map((turn) => [turn, misdeed]);
  writeFileSync(join(folder.path, 'mood.json'), JSON.stringify(mood));
  return {
    path: folder.path,
    type: (options: Partial<CliOptions>, ...words: readonly string[]) =>
      cli({ folder: folder.path, ...options }, ...words),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const noTerminal = { stdin: '' };

test.each([
  ['wrote nothing', 'forget', false],
  ['wrote tasks that are not valid', 'drop', true],
] as const)('a plan whose author %s names plan edit only if tasks exist', async (_how, misdeed, edits) => {
  using place = project('definition', misdeed);
  const ended = await place.type(noTerminal, ...planned);
  expect(ended.code, ended.err).toBe(11);
  for (const { out } of [ended, await place.type(noTerminal, 'status', 'numerals-plan')]) {
    expect(out).toContain('try what failed again: tutti resume numerals-plan');
    expect(out.includes('tutti plan edit')).toBe(edits);
  }
});

test.each(['logical', 'definition'] as const)(
  'plan edit opens no editor while a plan that stopped in %s has no tasks',
  async (step) => {
    using place = project(step, 'forget');
    await place.type(noTerminal, ...planned);
    const editor = { terminal: [100, 30], env: { EDITOR: `touch ${join(place.path, 'edited')}` } } as const;
    for (const words of [
      ['plan', 'edit'],
      ['plan', 'edit', 'T001'],
      ['plan', 'edit', '--taken'],
    ]) {
      const { code, err } = await place.type(editor, ...words);
      expect({ code, err }).toEqual({
        code: 1,
        err: 'tutti: plan numerals has no tasks to edit yet\n  → continue: tutti plan --plan numerals\n',
      });
    }
    expect(existsSync(join(place.path, 'edited'))).toBe(false);
  },
);
