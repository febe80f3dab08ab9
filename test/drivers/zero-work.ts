import { expect } from 'vitest';
import { assembleTurn } from '../../src/drivers/assemble-turn.ts';
import { readLog } from '../../src/drivers/turn-log.ts';
import { ok } from '../../src/lib/result.ts';
import type { AgentDriver } from '../../src/model/driver.ts';
import type { TurnOutcome } from '../../src/model/turn.ts';
import type { Promised } from './conformance.ts';
import { ended, type Subject } from './subjects/subject.ts';

/** Whether a turn did anything is known from its tools, so a driver must be right about telling them. */
export function workPromises({ good }: Subject, driver: AgentDriver): readonly Promised[] {
  const turnOf = (lines: readonly string[]): TurnOutcome =>
    assembleTurn({
      spec: { agent: 'coder', driver: 'd', timeoutMs: 1000 },
      sessionId: 's-2',
      end: ended,
      lines,
      reader: driver.reader(),
      tellsTools: driver.tellsTools,
      // It owes no result, and handed none over.
      result: ok(null),
    });
  return [
    {
      what: 'says truly whether it tells which tools were used',
      keep: () => {
        expect(readLog(good, driver.reader()).toolCalls > 0).toBe(driver.tellsTools);
      },
    },
    {
      what: 'a turn that owes no result is a success if it used a tool',
      keep: () => {
        expect(turnOf(good)).toMatchObject({ outcome: 'SUCCESS', stop: 'finished' });
      },
    },
    {
      what: 'the same turn without its tools is none, where they are told',
      keep: () => {
        // Each line for itself: a tool may be told when it begins or, if that was not seen, when it ends.
        const words = good.filter((line) =>
          driver
            .reader()
            .line(line)
            .every(({ type }) => type !== 'tool'),
        );
        expect(turnOf(words)).toMatchObject(
          driver.tellsTools
            ? { outcome: 'FAILURE', stop: 'no-result', failure: { reason: 'no-result' } }
            : { outcome: 'SUCCESS' },
        );
      },
    },
  ];
}
