import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/app/compose/finding.ts';
import { lintProject } from '../../src/app/compose/lint-compositions.ts';
import { tempFolder } from '../rig/temp-folder.ts';

interface Hostile {
  readonly about: string;
  readonly path: string;
  /** Writes the file, with the folder of the project and a folder outside it. */
  readonly make: (file: string, outside: string) => void;
  readonly expected: RegExp;
}

const hostile: readonly Hostile[] = [
  {
    about: 'a huge configuration',
    path: 'orchestrators/huge.yaml',
    make: (file) => writeFileSync(file, `stages:\n${'# x\n'.repeat(300_000)}`),
    expected: /^is larger than \d+ bytes$/,
  },
  {
    about: 'bytes that are no text',
    path: 'executors/binary.md',
    make: (file) => writeFileSync(file, Buffer.from([0x7f, 0x45, 0xc3, 0x28, 0xff])),
    expected: /^is not UTF-8 text$/,
  },
  {
    about: 'a link to a file outside the project',
    path: 'executors/link.md',
    make: (file, outside) => {
      writeFileSync(join(outside, 'secret.md'), 'You are a thief.');
      symlinkSync(join(outside, 'secret.md'), file);
    },
    expected: /leads outside/,
  },
  {
    about: 'a link that leads in a circle',
    path: 'coordinators/loop.yaml',
    make: (file) => symlinkSync(file, file),
    expected: /circle/,
  },
  {
    about: 'NUL in a system prompt',
    path: 'campaigns/nul.md',
    make: (file) => writeFileSync(file, 'You are a \0 controller.'),
    expected: /may not contain NUL/,
  },
  {
    about: 'NUL in a configuration',
    path: 'orchestrators/nul.json',
    make: (file) =>
      writeFileSync(file, JSON.stringify({ stages: [{ name: 'a', executor: 'spec', args: ['\0'] }] })),
    expected: /may not contain NUL/,
  },
  {
    about: 'nesting deeper than the stack',
    path: 'campaigns/deep.json',
    make: (file) => writeFileSync(file, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    expected: /nested too deeply|must be|cannot be read/,
  },
  {
    about: 'aliases that multiply',
    path: 'orchestrators/laughs.yaml',
    make: (file) => {
      const levels = Array.from(
        { length: 12 },
        (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(12)}]`,
      );
      writeFileSync(file, ['a0: &a0 [x]', ...levels].join('\n'));
    },
    expected: /./,
  },
  {
    about: 'a folder with the name of a file',
    path: 'executors/folder.md',
    make: (file) => symlinkSync(dirname(file), file),
    expected: /is a directory/,
  },
];

test.for(hostile)('the lint answers $about with one sentence', ({ path, make, expected }) => {
  using folder = tempFolder();
  using outside = tempFolder();
  const file = join(folder.path, 'compose', path);
  mkdirSync(dirname(file), { recursive: true });
  make(file, outside.path);
  const { findings } = lintProject({ root: folder.path, maxDepth: 10 });
  expect(findings).toHaveLength(1);
  const [{ message, rule, file: named }] = findings as [Finding];
  expect(message).toMatch(expected);
  expect(message).not.toContain('\n');
  expect(message.length).toBeLessThan(400);
  expect(['unreadable', 'form']).toContain(rule);
  expect(named).toBe(`compose/${path}`);
});

test('a prompt that a configuration names is not read through a link out of its folder', () => {
  using folder = tempFolder();
  using outside = tempFolder();
  const executors = join(folder.path, 'compose/executors');
  mkdirSync(executors, { recursive: true });
  writeFileSync(join(outside.path, 'p.md'), 'You are a thief.');
  symlinkSync(outside.path, join(executors, 'prompts'));
  writeFileSync(join(executors, 'x.yaml'), 'system_prompt_file: prompts/p.md\n');
  const { findings } = lintProject({ root: folder.path, maxDepth: 10 });
  const refused = findings.filter(({ rule }) => rule === 'unreadable');
  expect(refused).toMatchObject([{ line: 1, message: expect.stringContaining('leads outside') }]);
});

test('long lines and arguments are checked without delay', () => {
  using folder = tempFolder();
  const root = join(folder.path, 'compose');
  mkdirSync(join(root, 'coordinators'), { recursive: true });
  mkdirSync(join(root, 'executors'));
  const words = 'run '.repeat(100_000);
  const phases = [{ name: 'a', orchestrator: 'ospec', args: [words] }];
  writeFileSync(join(root, 'coordinators/long.json'), JSON.stringify({ phases }));
  writeFileSync(
    join(root, 'executors/long.md'),
    `You are a tool. ${'a/'.repeat(300_000)} ${'a.'.repeat(100_000)}`,
  );
  const { findings } = lintProject({ root: folder.path, maxDepth: 10 });
  expect(findings.map(({ rule }) => rule)).toEqual(['one-phase']);
});

test('files that no layer uses and second files of a name are reported', () => {
  using folder = tempFolder();
  const write = (path: string, text = 'You are a helper.\n'): void => {
    const file = join(folder.path, 'compose', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('README.md');
  write('notes.md');
  write('executor/misplaced.md');
  write('executors/readme.txt');
  write('executors/.hidden.md');
  write('executors/old.yml');
  write('executors/bad name.md');
  write('executors/twice.md');
  write('executors/twice.yaml', 'system_prompt: You are a helper.\n');
  const { findings, files } = lintProject({ root: folder.path, maxDepth: 10 });
  expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
    'compose/executor file-name',
    'compose/executors/bad name.md file-name',
    'compose/executors/old.yml file-name',
    'compose/notes.md file-name',
    'compose/executors/twice.yaml two-files',
  ]);
  expect(files).toBe(6);
});
