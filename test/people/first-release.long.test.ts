import { expect, test } from 'vitest';
import { describeFirstRelease } from '../rig/first-release.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import {
  ceilingRaisedInside,
  editedAfterYes,
  landedInside,
  planApprovedInside,
  sessionStartedInside,
} from './scenes.ts';

const limit = { timeout: hangLimitMs };

/** What the first release let agents decide; the tests below play the same scenes with this program. */
describeFirstRelease('PEOPLE', (program) => {
  test('lets an agent approve a plan by an answer inside its session', limit, async () => {
    const { code, approval } = await planApprovedInside(program());
    expect(code).toBe(0);
    expect(approval).toMatchObject({ said: 'approved' });
  });

  test('approves what was edited after --yes, unseen', limit, async () => {
    expect(await editedAfterYes(program())).toMatchObject({
      approval: { said: 'approved', reason: 'in advance' },
      asks: false,
    });
  });

  test('lets an agent raise the ceiling of a run inside its session', limit, async () => {
    expect(await ceilingRaisedInside(program())).toEqual({
      code: 0,
      turns: expect.arrayContaining(['T002', 'T002/verify']) as readonly string[],
    });
  });

  test('lets an agent land a plan inside its session', limit, async () => {
    expect(await landedInside(program())).toEqual({ code: 0, landed: true });
  });

  test('lets an agent start another one that its file does not allow', limit, async () => {
    expect(await sessionStartedInside(program())).toEqual({ code: '0', sessions: 2 });
  });
});

test('an answer inside a session approves no plan', limit, async () => {
  expect(await planApprovedInside()).toEqual({ code: 3, approval: null });
});

test('--yes approves nothing that is edited after its command has ended', limit, async () => {
  expect(await editedAfterYes()).toEqual({ approval: null, asks: true });
});

test('an agent raises no ceiling, and pays for no turn by that', limit, async () => {
  expect(await ceilingRaisedInside()).toEqual({ code: 3, turns: [] });
});

test('an agent lands nothing', limit, async () => {
  expect(await landedInside()).toEqual({ code: 3, landed: false });
});

test('an agent starts no other one that its file does not allow', limit, async () => {
  expect(await sessionStartedInside()).toEqual({ code: '64', sessions: 1 });
});
