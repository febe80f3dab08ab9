import { err, ok, type Result } from '../lib/result.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Run } from '../model/run.ts';
import { refusal, refusalOfError, type Refusal } from '../app/refusal.ts';
import { required } from '../app/runs/control.ts';
import { overdueRuns } from '../app/runs/overdue.ts';
import { newestRuns } from '../app/runs/newest.ts';
import { needsDriving } from '../app/sessions/overdue.ts';
import { openTutti, type Tutti } from '../app/tutti.ts';
import type { JsonFlag } from './command.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';

export interface Manner extends JsonFlag {
  /** It has just started a conductor, which needs a moment to be seen. */
  readonly detach?: boolean;
}

export type Work = (tutti: Tutti) => Outcome | Promise<Outcome>;

/** Opens the project for one command, and mentions what nobody looks after. */
export async function withProject(context: Context, manner: Manner, work: Work): Promise<Outcome> {
  const opened = openTutti({ folder: context.folder, env: context.env, create: false });
  return opened.ok
    ? withOpened(context, manner, opened.value, work)
    : fail(context, opened.error, manner.json);
}

export async function withOpened(
  context: Context,
  { json, detach }: Manner,
  opened: Tutti,
  work: Work,
): Promise<Outcome> {
  using tutti = opened;
  context.protect(tutti.redactor);
  try {
    const outcome = await work(tutti);
    if (!json && detach !== true) mention(context, await overdueRuns(tutti), tutti);
    return outcome;
  } catch (error) {
    const known = refusalOfError(error, context.env);
    if (known === null) throw error;
    return fail(context, known, json);
  } finally {
    // Whoever did something tells it.
    await tutti.audit.write();
  }
}

/** The run that was named, or the newest one that a person started. */
export function chosenRun(tutti: Tutti, runId: string | undefined): Result<Run, Refusal> {
  if (runId !== undefined) return required(tutti, runId);
  const newest = newestRuns(tutti, { limit: 200, sessions: false }).find(({ parent }) => parent === null);
  if (newest !== undefined) return ok(newest);
  return err(refusal('USAGE', 'this project has no runs yet', 'start one with: tutti run FILE'));
}

function mention({ process }: Context, overdue: readonly string[], tutti: Tutti): void {
  const isSession = (id: string): boolean => tutti.queries.run(id)?.workflow === 'session';
  const runs = overdue.filter((id) => !isSession(id));
  const sessions = overdue.filter((id) => isSession(id) && needsDriving(tutti, id));
  const lines = [
    ...waiting(runs, 'run', 'tutti resume'),
    // Waiting for a session starts a conductor for it.
    ...waiting(sessions, 'session', 'tutti session wait'),
  ];
  for (const line of lines) process.stderr.write(`${line}\n`);
}

function waiting(ids: readonly string[], noun: string, next: string): readonly string[] {
  const [first] = ids;
  if (first === undefined) return [];
  const waits = ids.length === 1 ? `1 ${noun} waits` : `${ids.length} ${noun}s wait`;
  return [`${waits} for somebody to drive it: ${next} ${first}`];
}
