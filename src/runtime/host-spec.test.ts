import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { AttemptRig } from '../../test/rig/attempt-rig.ts';
import { readHostSpec, writeHostSpec } from './host-spec.ts';

test('the host finds what it was given, and no secret lies in a file', () => {
  using folder = tempFolder();
  const spec = new AttemptRig(folder.path).spec(['a', 'b'], { env: { SECRET: 'hidden' }, timeoutMs: 5 });
  writeHostSpec(spec);
  const { marker, argv, cwd, stdinFile, logFile, timeoutMs } = spec;
  expect(readHostSpec(spec.dir)).toEqual({ marker, argv, cwd, stdinFile, logFile, timeoutMs });
  expect(readFileSync(join(spec.dir, 'spec.json'), 'utf8')).not.toContain('hidden');
  expect(statSync(join(spec.dir, 'spec.json')).mode & 0o777).toBe(0o600);
});

test.each([
  '',
  '{',
  '[]',
  '{}',
  'null',
  '{"marker":"m","argv":[],"cwd":"/","stdinFile":null,"logFile":"l","timeoutMs":null}',
])('what is no spec is none: %s', (text) => {
  using folder = tempFolder();
  expect(readHostSpec(folder.path)).toBeNull();
  writeFileSync(join(folder.path, 'spec.json'), text);
  expect(readHostSpec(folder.path)).toBeNull();
});
