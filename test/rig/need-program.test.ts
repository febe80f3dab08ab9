import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programProblem } from './need-program.ts';
import { skippedLines } from './plain-reporter.ts';
import { tempFolder } from './temp-folder.ts';

test('a missing or forbidden program is named in the reason of the skip, and a usable one is no reason', () => {
  using folder = tempFolder();
  const problem = (name: string, proof: readonly string[] | null = null): string | null =>
    programProblem(name, { package: `${name}-package`, proof }, folder.path);
  const put = (name: string, script: string): void => {
    writeFileSync(join(folder.path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  put('usable', 'exit 0');
  put('forbidden', 'exit 1');
  expect(problem('absent')).toBe('absent is not installed: apt-get install absent-package');
  expect(problem('forbidden', ['true'])).toBe(
    'forbidden is installed and may not do its work on this machine',
  );
  expect([problem('usable', ['true']), problem('usable'), problem('forbidden')]).toEqual([null, null, null]);
});

test('skipped tests are listed below the reason they share, by the name of the program', () => {
  const skipped = new Map([
    ['tmux is not installed', ['a pane closes']],
    ['bwrap is not installed', ['a write is refused', 'a read is allowed']],
  ]);
  expect(skippedLines(skipped)).toEqual([
    'skipped 2: bwrap is not installed',
    '  a write is refused',
    '  a read is allowed',
    'skipped 1: tmux is not installed',
    '  a pane closes',
  ]);
});
