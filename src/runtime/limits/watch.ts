import type { CurrentProcess } from '../../lib/process/identity.ts';
import type { Ending } from '../../model/driver.ts';
import { realClock } from '../clock.ts';
import type { RelaySpec } from '../session-relay-spec.ts';
import { startRecordedAt } from '../attempt-files.ts';
import { type LogLine, noteSessionAt } from '../session-log.ts';
import { hasState, writeRunning } from '../session-state.ts';
import { SessionGuard } from './guard.ts';

/** Ends the session; the first reason stays. */
export type Finish = (why: Ending, reason: string) => void;

/**
 * What a launcher that is a Node process does for its session from start to end, whatever it runs: says that it runs and
 * whether it works, and ends it at its deadline or above its quota. Dispose of it before the end is recorded.
 */
export function watchSession(
  dir: string,
  spec: RelaySpec,
  launcher: CurrentProcess,
  finish: Finish,
): Disposable {
  const began = startRecordedAt(dir) ?? Date.now();
  const startedAt = new Date(began).toISOString();
  const session = hasState(dir);
  const tell = (detail: string | null): void => {
    writeRunning(dir, { startedAt, launcher, activity: detail === null ? 'working' : 'stalled', detail });
  };
  const { disk, stallMs, lacking } = spec.limits;
  if (session) {
    const warning: readonly LogLine[] = lacking === null ? [] : [['WARN', lacking]];
    noteSessionAt(dir, began, ['INFO', 'Status: CREATED → RUNNING'], ...warning);
    tell(null);
  }
  const guard = new SessionGuard({
    dir,
    logFile: spec.logFile,
    disk,
    stallMs: session ? stallMs : null,
    onFull: (why) => {
      finish('quota', why);
    },
    onStall: tell,
  });
  const deadline =
    spec.timeoutMs === null
      ? null
      : realClock().timer(Date.now() + spec.timeoutMs, () => {
          finish('timeout', 'the time limit was reached');
        });
  return {
    [Symbol.dispose]: () => {
      guard[Symbol.dispose]();
      deadline?.[Symbol.dispose]();
    },
  };
}
