import { expect, test } from 'vitest';
import { untilAlone } from '../e2e/example.ts';
import { Desk, spec } from './desk.ts';

test('an approval that is answered after its task files were edited says that it approves nothing yet', {
  timeout: 300_000,
}, async () => {
  using desk = new Desk();
  expect((await desk.type('plan', spec, '--new')).code).toBe(3);
  desk.edit('T005', 'Find the longest duration', 'Find the longest of durations');
  const edited = await desk.type('answer', 'Q1', 'approve');
  expect(edited).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      '  the task files were edited after it was asked (changed T005): they are verified and asked about again, and not approved yet\n',
    ) as string,
  });
  await untilAlone(desk.path);
  expect(await desk.json('plan', 'show')).toMatchObject({ approval: null });
  expect((await desk.type('inbox')).out).toContain('Q2');
  const approved = await desk.type('answer', 'Q2', 'approve');
  expect(approved.out).not.toContain('edited');
  await untilAlone(desk.path);
  expect(await desk.json('plan', 'show')).toMatchObject({ approval: 'approved' });
});
