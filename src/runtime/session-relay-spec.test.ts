import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { AttemptRig } from '../../test/rig/attempt-rig.ts';
import type { ResourceLimits } from '../model/limits.ts';
import { withoutGroup } from './limits/plan.ts';
import { readRelaySpec, writeRelaySpec } from './session-relay-spec.ts';

const limits: ResourceLimits = {
  memoryBytes: null,
  processes: null,
  cpuPercent: null,
  fileBytes: 1024,
  diskWarnBytes: 10,
  diskFailBytes: 20,
  stallMs: 1000,
};
const unlimited = { groups: [], fileBytes: null, disk: null, stallMs: null, lacking: null };
const good = { marker: 'm', argv: ['a'], cwd: '/', stdinFile: null, logFile: 'l', timeoutMs: null };
const whole = (more: object): string =>
  JSON.stringify({ ...good, searchPath: '', limits: unlimited, ...more });

test('the host finds what it was given, and no secret lies in a file', () => {
  using folder = tempFolder();
  const spec = new AttemptRig(folder.path).spec(['a', 'b'], {
    env: { PATH: '/bin', SECRET: 'hidden' },
    timeoutMs: 5,
  });
  const plan = withoutGroup(limits);
  writeRelaySpec(spec, plan);
  const { marker, argv, cwd, stdinFile, logFile, timeoutMs } = spec;
  const { groups, fileBytes, disk, stallMs, lacking } = plan;
  const told = { groups, fileBytes, disk, stallMs, lacking };
  const given = { marker, argv, cwd, stdinFile, logFile, timeoutMs };
  expect(readRelaySpec(spec.dir)).toEqual({ ...given, searchPath: '/bin', limits: told });
  expect(readFileSync(join(spec.dir, 'spec.json'), 'utf8')).not.toContain('hidden');
  expect(statSync(join(spec.dir, 'spec.json')).mode & 0o777).toBe(0o600);
});

test.each([
  '',
  '{',
  '[]',
  '{}',
  'null',
  whole({ argv: [] }),
  whole({ limits: null }),
  whole({ limits: { ...unlimited, groups: [1] } }),
  whole({ limits: { ...unlimited, disk: {} } }),
])('what is no spec is none: %s', (text) => {
  using folder = tempFolder();
  expect(readRelaySpec(folder.path)).toBeNull();
  writeFileSync(join(folder.path, 'spec.json'), text);
  expect(readRelaySpec(folder.path)).toBeNull();
});

test('control: the same text unspoilt is a spec', () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'spec.json'), whole({}));
  expect(readRelaySpec(folder.path)).not.toBeNull();
});
