import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { askVersion, programVersion } from './program-version.ts';

function program(folder: string, script: string): string {
  const path = join(folder, 'cli');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function ask(folder: string, script: string, timeoutMs = 10_000): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  return programVersion({ program: program(folder, script), env, cwd: folder, timeoutMs });
}

test('a program is asked for its version, sees nothing of the environment, and is believed if it succeeds', async () => {
  using folder = tempFolder();
  process.env['TUTTI_TEST_SECRET'] = 'x';
  try {
    const script = 'echo "thing v1.2.3 (beta 4) $1"; echo "seen: $TUTTI_TEST_SECRET" > seen';
    expect(await ask(folder.path, script)).toBe('1.2.3');
  } finally {
    delete process.env['TUTTI_TEST_SECRET'];
  }
  expect(readFileSync(join(folder.path, 'seen'), 'utf8')).toBe('seen: \n');
});

test.each([
  ['fails', 'echo 1.2.3; exit 1'],
  ['says nothing useful', 'echo hello'],
  ['is ended by a signal', 'kill -9 $$'],
])('a program that %s has no version', async (_, script) => {
  using folder = tempFolder();
  expect(await ask(folder.path, script)).toBeNull();
});

test('a program that answers something else is quoted, and one that fails is not', async () => {
  using folder = tempFolder();
  const answer = (script: string) =>
    askVersion({ program: program(folder.path, script), env: {}, cwd: folder.path, timeoutMs: 10_000 });
  expect(await answer('echo hello')).toEqual({ version: null, said: 'hello\n' });
  expect(await answer('echo hello; exit 1')).toEqual({ version: null, said: null });
  expect(await answer('echo 1.2.3')).toEqual({ version: '1.2.3' });
});

test('a program that is not there has no version', async () => {
  using folder = tempFolder();
  const question = { program: join(folder.path, 'none'), env: {}, cwd: folder.path, timeoutMs: 1000 };
  expect(await programVersion(question)).toBeNull();
});

test('a program that never answers is ended with all that it started, when its time is over', async () => {
  using folder = tempFolder();
  const script = "sh -c 'echo $$ > child; tail -f /dev/null' & echo 1.2.3; wait";
  expect(await ask(folder.path, script, 500)).toBeNull();
  const child = Number(readFileSync(join(folder.path, 'child'), 'utf8'));
  const deadline = performance.now() + 10_000;
  while (isThere(child) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isThere(child)).toBe(false);
});

test('what it leaves running when it has answered is ended too', async () => {
  using folder = tempFolder();
  const script = 'tail -f /dev/null & echo $! > child; echo 1.2.3';
  expect(await ask(folder.path, script)).toBe('1.2.3');
  expect(existsSync(join(folder.path, 'child'))).toBe(true);
});

/** A process that has ended and that nobody took notice of counts as gone. */
function isThere(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
