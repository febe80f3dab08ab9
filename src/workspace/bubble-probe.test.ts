import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { bubbleProblem } from './bubble-probe.ts';

/** A stand-in: the machine of the test may have no bubblewrap. */
function plantBubble(folder: string, script: string): string {
  const path = join(folder, 'bwrap');
  writeFileSync(path, `#!/bin/sh\necho tried >> "${folder}/tries"\n${script}\n`);
  chmodSync(path, 0o755);
  return `${folder}:/usr/bin:/bin`;
}

test('a machine without bwrap gets the command that installs it', () => {
  expect(bubbleProblem('/nowhere')).toBe('bwrap is not on PATH: apt-get install bubblewrap');
  expect(bubbleProblem(undefined)).toBe('bwrap is not on PATH: apt-get install bubblewrap');
});

test('a bwrap that works is tried once for each process', () => {
  using folder = tempFolder();
  const searchPath = plantBubble(folder.path, 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"');
  expect(bubbleProblem(searchPath)).toBeNull();
  expect(bubbleProblem(searchPath)).toBeNull();
  expect(readFileSync(join(folder.path, 'tries'), 'utf8')).toBe('tried\n');
});

test('a system that permits no namespaces is a problem in the words of bwrap', () => {
  using folder = tempFolder();
  const searchPath = plantBubble(
    folder.path,
    'echo "bwrap: No permissions to create a new namespace" >&2; exit 1',
  );
  expect(bubbleProblem(searchPath)).toBe(
    'bwrap does not work on this machine (bwrap: No permissions to create a new namespace)',
  );
});

test('a bwrap that fails without a word is a problem too', () => {
  using folder = tempFolder();
  expect(bubbleProblem(plantBubble(folder.path, 'exit 1'))).toBe('bwrap does not work on this machine');
});
