import { describe, expect, test } from 'vitest';
import { describeFirstRelease } from '../rig/first-release.ts';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { editedByHand, landedElsewhere, namesIssues, seenBeforeApproval } from './scenes.ts';

const limit = { timeout: hangLimitMs };

/** What the first release did wrong with answers, approvals and edits. */
describeFirstRelease('REPLAN', (program) => {
  test('hides commands and uncommitted work, and takes a typing error for a refusal', limit, async () => {
    expect(await seenBeforeApproval(program())).toEqual({
      namesUncommitted: false,
      showsCommands: false,
      typo: { code: 0, stillAsked: false },
    });
  });

  test('asks about a blocked plan without saying why it is blocked', limit, async () => {
    expect(await namesIssues(program())).toBe(false);
  });

  test('lands on whatever branch is checked out', limit, async () => {
    expect(await landedElsewhere(program())).toEqual({ code: 0, landed: true });
  });

  test('overwrites what a person edited', limit, async () => {
    expect((await editedByHand(program())).editKept).toBe(false);
  });
});

describe('this release', () => {
  skipBecause(notInSuite('REPLAN'));
  test('shows commands and uncommitted work, and refuses a typing error', limit, async () => {
    expect(await seenBeforeApproval()).toEqual({
      namesUncommitted: true,
      showsCommands: true,
      typo: { code: 64, stillAsked: true },
    });
  });

  test('says why a plan is blocked', limit, async () => {
    expect(await namesIssues()).toBe(true);
  });

  test('does not land on another branch than the one on which the plan began, unasked', limit, async () => {
    expect(await landedElsewhere()).toMatchObject({ landed: false });
  });

  test('keeps what a person edited, and the phase they gave', limit, async () => {
    expect(await editedByHand()).toEqual({ editKept: true, phaseKept: true });
  });
});
