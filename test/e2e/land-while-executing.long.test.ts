import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { Example, plan } from './example.ts';

const slow = { timeout: 300_000 };
const look = `see how it stands: tutti plan status --plan ${plan}\n`;
const wait = `wait for the run that works on them: tutti status ${plan}-execute`;

test('land names the run that works on the tasks while it executes the plan', slow, async () => {
  using example = new Example({ slow: [1] });
  await example.planned();
  const none = `tutti: no task of plan ${plan} is done, so there is nothing to land\n`;
  const early = await example.tutti('land');
  expect(early).toMatchObject({
    code: 1,
    stderr: `${none}  → continue: tutti execute --plan ${plan}; ${look}`,
  });
  const executing = example.start('execute', '--parallel', '1');
  await until('the task began', () => example.turns().at(-1) === 'T001');
  expect(await example.tutti('land')).toMatchObject({ code: 1, stderr: `${none}  → ${wait}; ${look}` });
  example.go();
  expect((await executing.ended).code).toBe(0);
});

test(
  'land of a plan that is partly done names the run that works on the rest, or execute',
  slow,
  async () => {
    using example = new Example({ slow: [2] });
    await example.planned();
    await example.done('execute', '--task', 'T001');
    expect(await example.done('land')).toContain(
      `6 of 7 tasks are not done; continue: tutti execute --plan ${plan}\n`,
    );
    const executing = example.start('execute', '--parallel', '1');
    await until('the task began', () => example.turns().includes('T002'));
    expect(await example.done('land')).toMatch(new RegExp(`\\d of 7 tasks are not done; ${wait}\\n`));
    example.go();
    expect((await executing.ended).code).toBe(0);
  },
);
