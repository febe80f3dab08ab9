import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootStepOf } from '../../model/key.ts';
import { endRecordedAt, startRecordedAt } from '../../runtime/attempt-files.ts';
import type { HostParts } from './host-parts.ts';

/** What an agent wrote with its last breath may carry a later time than its end. */
const slackMs = 1000;

interface TurnTime {
  readonly from: number;
  /** Null: no end is recorded. */
  readonly until: number | null;
}

/**
 * Which of these files of the project were changed last while no turn of the step was at work: after a stop, or before somebody
 * took the run up again. A file that is gone counts as changed when its folder was.
 */
export async function changedBetweenTurns(
  { paths, queries }: Pick<HostParts, 'paths' | 'queries'>,
  step: { readonly runId: string; readonly id: string },
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const sessions = await queries.sessions.ofRun(step.runId);
  const turns = sessions.flatMap(({ id, key }): readonly TurnTime[] => {
    const from = rootStepOf(key) === rootStepOf(step.id) ? startRecordedAt(paths.session(id)) : null;
    return from === null ? [] : [{ from, until: endRecordedAt(paths.session(id)) }];
  });
  const isInTurn = (at: number): boolean =>
    turns.some(({ from, until }) => at >= from && (until === null || at <= until + slackMs));
  return files.filter((path) => !isInTurn(lastChange(join(paths.root, path))));
}

/** Of a file's content, name or rights: nobody can set this time. */
function lastChange(path: string): number {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.ctimeMs ?? lastChange(dirname(path));
}
