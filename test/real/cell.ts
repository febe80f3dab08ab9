import { expect, test } from 'vitest';
import type { DriverEvent } from '../../src/model/driver.ts';
import { mayRetry } from '../../src/kernel/retry.ts';
import { failure } from '../../src/model/failure.ts';
import type { StopReason } from '../../src/model/turn.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { type CaseName, cases } from './cases.ts';
import { type Cli, installed } from './install.ts';
import { report } from './report.ts';
import { type CellTurn, openStage, type Stage } from './stage.ts';

const limitMs = 120_000;
/** For each turn of a cell that has several: a CLI may take half a minute to start on a busy machine. */
const turnMs = 75_000;

export interface CellOptions {
  /** Instead of what the case says: a CLI may have a cheaper bad case. */
  readonly smoke?: boolean;
  /** How many turns the cell has, where they are more than one or two. */
  readonly turns?: number;
}

/**
 * One cell of the matrix as a test. Its verdict is reported; a CLI that cannot be installed is a verdict of its own.
 */
export function cell(
  cli: Cli,
  name: CaseName,
  act: (stage: Stage) => Promise<void>,
  // The bridges bring their CLI a second time, and are too large to be installed with every submission.
  { smoke = cases[name].smoke && !cli.endsWith('-acp'), turns = 1 }: CellOptions = {},
): void {
  const title = `${cli} ${name}${smoke ? ' (smoke)' : ''}: ${cases[name].says}`;
  test(title, { timeout: Math.max(limitMs, turns * turnMs) }, async ({ skip }) => {
    const found = await installed(cli);
    const about = { cli, case: name, version: found.version };
    if (!found.ok) {
      report(about, { verdict: 'not installed', why: found.why, ms: 0 });
      skip(found.why);
      return;
    }
    expect.hasAssertions();
    using folder = tempFolder();
    const began = performance.now();
    const ms = (): number => Math.round(performance.now() - began);
    try {
      await act(openStage(cli, found.program, found.version, folder.path));
      report(about, { verdict: 'ok', ms: ms() });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      report(about, { verdict: 'failed', why, ms: ms() });
      throw error;
    }
  });
}

/** How it stopped, and that nobody is left. With the end of its output, which is what one wants to see otherwise. */
export function expectStop({ turn, survivors, log }: CellTurn, stop: StopReason): void {
  const end = log.slice(-12).map((line) => line.slice(0, 600));
  expect(turn.stop, [`failure: ${turn.failure?.message ?? 'none'}`, ...end].join('\n')).toBe(stop);
  expect(survivors).toEqual([]);
}

/** A refused key ends the turn at once: at most one retry, no healing, and what the person can do. */
export function expectSignIn(done: CellTurn, requests: readonly unknown[], advice: string): void {
  expectStop(done, 'sign-in');
  expect(done.turn.failure).toMatchObject({ reason: 'sign-in', outcome: 'UNAVAILABLE' });
  expect(done.turn.failure?.message).toContain(advice);
  expect(
    mayRetry([{ failure: done.turn.failure ?? failure('error', ''), of: null, progress: '' }], 3),
  ).toMatchObject({
    verdict: 'give-up',
  });
  expect(requests.length).toBeLessThanOrEqual(2);
}

export function eventsOf<Type extends DriverEvent['type']>(
  { events }: CellTurn,
  type: Type,
): readonly Extract<DriverEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<DriverEvent, { type: Type }> => event.type === type);
}
