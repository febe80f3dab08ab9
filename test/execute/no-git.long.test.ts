import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { approvedPlan } from '../pay/scenarios.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { startTutti } from '../rig/program.ts';

test('execute without git on PATH says so, and starts nothing', { timeout: hangLimitMs }, async () => {
  using project = await approvedPlan(undefined);
  const env = { ...project.env, PATH: dirname(process.execPath) };
  const end = await startTutti(project.path, ['execute', '--batch'], env).ended;
  expect({ code: end.code, stderr: end.stderr }).toEqual({
    code: 69,
    stderr: 'tutti: git cannot be started\n  → install it, then: tutti doctor\n',
  });
  expect(project.turns()).toEqual([]);
  expect((await project.run('execute', '--batch')).code).toBe(0);
});
