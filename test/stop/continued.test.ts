import { expect, test } from 'vitest';
import { mountingMissing } from '../faults/small-disk.ts';
import { needProgram } from '../rig/need-program.ts';
import { notInSuite } from '../rig/skip-because.ts';
import { couldNotWrite } from './cannot-write.ts';
import { resumeConversation, tmuxAfterLastPane } from './continued.ts';

test('resuming after stop continues the conversation instead of paying for the turn from zero', async () => {
  const [first, second, ...more] = await resumeConversation();
  expect(first).not.toContain('thread-1');
  expect(second).toMatch(/\b(?:resume|fork) thread-1\b/);
  expect(more).toEqual([]);
});

test('the tmux server of a project exits with its last pane', async (context) => {
  needProgram(context, 'tmux');
  expect(await tmuxAfterLastPane((sessions) => sessions === '')).toBe('');
});

/** It waits for what must not happen, so it is one of the long suites. */
test('a run that cannot write says so in its output and in status, and only a person continues it afterwards', async ({
  skip,
}) => {
  const problem = notInSuite('FAULTS') ?? mountingMissing();
  if (problem !== null) skip(problem);
  expect(await couldNotWrite()).toEqual({
    said: true,
    status: expect.stringMatching(
      /it could not write: .*\n {2}→ free space first; then it continues by itself; if its process has ended: tutti resume r/,
    ) as string,
    unasked: 0,
    resumed: [0, 4],
  });
});
