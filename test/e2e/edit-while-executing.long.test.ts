import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { Example, plan } from './example.ts';

const run = `${plan}-execute`;

test('plan edit while the plan is executed names the commands that have the edits verified', {
  timeout: hangLimitMs,
}, async () => {
  using example = new Example({ slow: [1] });
  await example.planned();
  const executing = example.start('execute');
  await until('an agent works on T001', () => example.turns().includes('T001'));
  const file = join(example.planDir, 'tasks', 'T004.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Add durations', 'Sum durations'));
  expect(await example.done('plan', 'edit', '--taken')).toBe(
    `plan ${plan}: 7 tasks, T004 changed\n  → once run ${run} has ended (sooner: tutti halt ${plan}), have the edits verified: tutti plan --plan ${plan}\n`,
  );
  // What it names for later is refused until then.
  expect((await example.tutti('plan', '--plan', plan)).code).toBe(64);
  await example.done('halt', plan);
  example.go();
  expect((await executing.ended).code).toBe(24);
  const again = await example.tutti('plan', '--plan', plan);
  expect(again.code).toBe(3);
  expect(again.stdout).toMatch(/T004 .*Sum durations/);
});
