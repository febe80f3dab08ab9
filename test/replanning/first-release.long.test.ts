import { describe, expect, test } from 'vitest';
import { describeFirstRelease } from '../rig/first-release.ts';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import {
  askedAgain,
  editedByHand,
  forecastOfEdit,
  landedElsewhere,
  namesIssues,
  seenBeforeApproval,
  verifiedBrokenTask,
} from './scenes.ts';
import { needProgram } from '../rig/need-program.ts';

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

  test('forecasts no launch for a finished task that was edited and will be done again', limit, async () => {
    expect(await forecastOfEdit(program())).toEqual({ launches: 0, turns: ['T001', 'T001/verify'] });
  });

  test('starts an author where a person asks to verify', limit, async () => {
    expect(await verifiedBrokenTask(program())).toEqual(['definition/heal-1', 'validation']);
  });

  test('asks again before it executes what was approved', limit, async (context) => {
    needProgram(context, 'tmux');
    expect(await askedAgain(program())).toBe(true);
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

  test('forecasts the launches of a finished task that was edited', limit, async () => {
    expect(await forecastOfEdit()).toEqual({ launches: 2, turns: ['T001', 'T001/verify'] });
  });

  test('starts no agent where only an author could repair what a person asks to verify', limit, async () => {
    expect(await verifiedBrokenTask()).toEqual([]);
  });

  test('executes what was approved without asking again', limit, async (context) => {
    needProgram(context, 'tmux');
    expect(await askedAgain()).toBe(false);
  });
});
