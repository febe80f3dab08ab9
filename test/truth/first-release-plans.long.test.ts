import { describe, expect, test } from 'vitest';
import { describeFirstRelease } from '../rig/first-release.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import {
  changedBundle,
  haltReason,
  hintAfterSkip,
  newestRun,
  orphansByHand,
  queuedStep,
  sessionTimes,
  stoppedTask,
  tokensOfPlan,
  unprovenTurn,
} from './scenes.ts';

const limit = { timeout: hangLimitMs };

/** What the first release reported about plans; the tests below play the same scenes with this program. */
describeFirstRelease('TRUTH', (program) => {
  test('marks a task as done whose work no gate has looked at', limit, async () => {
    expect(await unprovenTurn(program())).toMatch(/^✔ T001/);
  });

  test('calls a task running after its run was stopped and its processes have ended', limit, async () => {
    expect(await stoppedTask(program())).toEqual({ word: 'running', running: ['T001'] });
  });

  test('says of a step that it is queued for a slot where every slot is free', limit, async () => {
    expect(await queuedStep(program())).toMatch(/^○ b .*queued for a slot$/);
  });

  test('shortens the times of a session in its files, and not in its status', limit, async () => {
    const { started, ended } = await sessionTimes(program());
    const [file, log, status] = [0, 1, 2].map((n) => [started[n], ended[n]].join(' '));
    expect(file).toBe(log);
    expect(file).toMatch(/:\d\dZ \S+:\d\dZ$/);
    expect(status).toMatch(/\.\d{3}Z \S+\.\d{3}Z$/);
  });

  test('takes the run for the newest that began when the clock was ahead', limit, async () => {
    expect(await newestRun(program())).toEqual({ newest: 'first', listed: ['first', 'second'] });
  });

  test('counts no tokens of the work that it runs itself in the state of the plan', limit, async () => {
    expect(await tokensOfPlan(program())).toEqual({ status: 0, file: 0 });
  });

  test('calls a bundle valid whose acceptance criteria were made easy', limit, async () => {
    expect(await changedBundle(program())).toBe(0);
  });

  test('refuses to start a task, or to confirm the halt, without the reason of the halt', limit, async () => {
    const { start, confirm } = await haltReason(program());
    expect(start).toContain('plan shop is halted: there is a STOP file');
    expect(confirm).toContain('tutti: T001 is still at work\n');
  });

  test('calls a task orphaned that a person works on', limit, async () => {
    expect(await orphansByHand(program())).toEqual(['T001']);
  });

  test('names a next command that starts no task where one was skipped', limit, async () => {
    expect(await hintAfterSkip(program())).toEqual({ next: 'tutti plan advance', ready: 0 });
  });
});

describe('this release', () => {
  skipBecause(notInSuite('TRUTH'));

  test('does not mark a task as done whose work no gate has looked at', limit, async () => {
    expect(await unprovenTurn()).toMatch(/^○ T001 .*no process has read its result yet$/);
  });

  test('calls no task running after its run was stopped', limit, async () => {
    expect(await stoppedTask()).toEqual({ word: 'parked', running: [] });
  });

  test('says of a step without a process what it waits for', limit, async () => {
    expect(await queuedStep()).toMatch(/^○ b .*waits for a process that advances its run$/);
  });

  test(
    'gives one time for the start and one for the end of a session in its files and its status',
    limit,
    async () => {
      const { started, ended } = await sessionTimes();
      expect(ended[0]).toMatch(/\.\d{3}Z$/);
      expect([new Set(started).size, new Set(ended).size]).toEqual([1, 1]);
    },
  );

  test('takes the run for the newest that was created last, whatever the clock said', limit, async () => {
    expect(await newestRun()).toEqual({ newest: 'second', listed: ['second', 'first'] });
  });

  test('counts the tokens of the work that it runs itself in the state of the plan', limit, async () => {
    expect(await tokensOfPlan()).toEqual({ status: 4000, file: 4000 });
  });

  test('calls a bundle broken whose acceptance criteria were made easy', limit, async () => {
    expect(await changedBundle()).toBe(1);
  });

  test(
    'gives the reason of the halt where a task may not start and a halt is not complete',
    limit,
    async () => {
      const { start, confirm } = await haltReason();
      expect(start).toContain('plan shop is halted: the schema changes today');
      expect(confirm).toContain('T001 is still at work, and the plan is halted: the schema changes today');
    },
  );

  test('calls no task orphaned that a person works on', limit, async () => {
    expect(await orphansByHand()).toEqual([]);
  });

  test('names a next command that lets a skipped task start', limit, async () => {
    expect(await hintAfterSkip()).toEqual({ next: 'tutti task retry T001', ready: 1 });
  });
});
