import { renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appendText, makePrivateFolder } from '../../lib/atomic-file.ts';
import type { Redactor } from '../../lib/redact.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { logLevels } from '../../model/plan/log-levels.ts';
import type { Clock } from '../../model/ports/clock.ts';
import { ignoreHeldLock, locked, viewPatienceMs } from '../../workspace/lock.ts';
import type { PlanPaths } from './plan-paths.ts';

export interface Activity {
  readonly level: (typeof logLevels)[number];
  readonly agent: string;
  readonly event: string;
  readonly message: string;
}

interface LogParts {
  readonly redactor: Redactor;
  readonly clock: Clock;
}

const longestName = 60;
const longestMessage = 4000;
const largestBytes = 8 * 1024 * 1024;

/**
 * A line in the plan's `activity.log`. Agents write it, so nothing in it can end the line, move a cursor or hold a secret.
 * One append is one write: lines of ten agents do not mix. The log that is full is kept once, as `activity.log.1`.
 */
export async function logActivity(
  { redactor, clock }: LogParts,
  { activity: path }: Pick<PlanPaths, 'activity'>,
  { level, agent, event, message }: Activity,
): Promise<string> {
  const said = oneLine(redactor.text(message), longestMessage);
  const [who, what] = [agent, event].map((name) => oneLine(redactor.text(name), longestName));
  const line = `[${new Date(clock.wall()).toISOString()}] [${level}] [${who}] ${what}: ${said}`;
  // Somebody may have removed the plan's files; its record is elsewhere.
  makePrivateFolder(dirname(path));
  appendText(path, `${line}\n`);
  if (isFull(path)) {
    // Whoever comes second finds the new log, and leaves it alone.
    const rotate = async (): Promise<void> => {
      if (isFull(path)) renameSync(path, `${path}.1`);
    };
    // Too large is better than a command that does not return.
    await locked(join(dirname(path), '.locks', 'activity'), rotate, { patienceMs: viewPatienceMs }).catch(
      ignoreHeldLock,
    );
  }
  return line;
}

function isFull(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestBytes;
}
