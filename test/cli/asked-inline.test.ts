import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli, type CliOptions, ctrlC } from './rig.ts';

const flow = {
  name: 'gated',
  steps: [
    { id: 'a', command: ['echo', 'a'], gates: [{ approval: 'May it go out?' }] },
    { id: 'b', needs: ['a'], command: ['echo', 'b'], gates: [{ approval: 'And this?' }] },
  ],
};

function project() {
  const folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, { 'flow.yaml': flow });
  const type = (typed: NonNullable<CliOptions['typed']>, ...words: readonly string[]) =>
    cli({ folder: path, terminal: [100, 30], typed }, ...words);
  return { path, type, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const start = ['run', 'flow.yaml', '--run-id', 'r'];

test('run asks each question at its terminal and continues with the answers', async () => {
  using place = project();
  const { out, err, code } = await place.type(['yes', 'nothing of that', '1'], ...start);
  expect(code, err).toBe(0);
  expect(out).toMatch(/Q1 {2}a[^]*May it go out\?[^]*Q2 {2}b[^]*And this\?[^]*run r succeeded/);
  expect(err).toContain("'nothing of that' is none of ");
  expect(out).not.toContain('tutti answer');
});

test('a person who leaves a question with Ctrl-C or later reads how to answer it, and resume asks it again', async () => {
  using place = project();
  const left = await place.type([ctrlC], ...start);
  expect(left.code).toBe(3);
  const hint =
    '  → Q1 waits in the inbox; answer it: tutti answer Q1 1\n  → or be asked here again: tutti resume r\n';
  expect(left.err).toContain(hint);
  const later = await place.type([''], 'resume', 'r');
  expect(later.code).toBe(3);
  expect(later.err).toContain(hint);
  const ended = await place.type(['yes', 'yes'], 'resume', 'r');
  expect(ended.code, ended.err).toBe(0);
});

test('a command whose input is no terminal names the command that answers in another one', async () => {
  using place = project();
  const answered: Promise<unknown>[] = [];
  const { out } = await cli(
    {
      folder: place.path,
      terminal: [100, 30],
      stdin: '',
      onOutput: (all) => {
        if (answered.length > 0 || !all.includes('in another terminal: tutti answer Q1 1')) return;
        answered.push(cli({ folder: place.path, stdin: '' }, 'answer', 'Q1', 'refuse'));
      },
    },
    ...start,
  );
  await Promise.all(answered);
  expect(out).toContain('run r ended with');
});
