import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { findProgram, isRunnable } from './find-program.ts';

test('a program is found where the path says, the first place first, and nothing else is taken for one', () => {
  using folder = tempFolder();
  const [first, second] = [join(folder.path, 'first'), join(folder.path, 'second')];
  for (const place of [first, second]) mkdirSync(place);
  for (const place of [first, second]) writeFileSync(join(place, 'tool'), '', { mode: 0o755 });
  mkdirSync(join(first, 'folder'), { mode: 0o755 });
  writeFileSync(join(first, 'text'), '');
  chmodSync(join(first, 'text'), 0o644);
  const path = `:${first}:${second}`;
  expect(findProgram('tool', path)).toBe(join(first, 'tool'));
  expect(findProgram('folder', path)).toBeNull();
  expect(findProgram('text', path)).toBeNull();
  expect(findProgram('absent', path)).toBeNull();
  expect(findProgram('tool', undefined)).toBeNull();
  expect(isRunnable(join(second, 'tool'))).toBe(true);
});
