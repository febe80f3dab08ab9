import { err, ok, type Result } from '../lib/result.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Run } from '../model/run.ts';
import { refusal, refusalOfError, type Refusal } from '../app/refusal.ts';
import { required, unknownRun } from '../app/runs/find-run.ts';
import { overdueRuns } from '../app/runs/overdue.ts';
import { newestRuns } from '../app/runs/newest.ts';
import { needsDriving } from '../app/sessions/overdue.ts';
import { openIfMade } from '../app/sessions/prepare.ts';
import { openTutti, type Tutti } from '../app/tutti.ts';
import type { JsonFlag } from './command.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { askAboutMoved } from './moved-state.ts';
import { printJson, printLines } from './print.ts';
import { familyOf } from '../model/family.ts';
import { hasKeptHistory } from '../app/recovery/kept-history.ts';

export interface Manner extends JsonFlag {
  /** It has just started a conductor, which needs a moment to be seen. */
  readonly detach?: boolean;
  /** It works with any configuration, because it only ends what runs. */
  readonly despiteConfig?: boolean;
  /** Does without the database what can be done without it, and says so in the refusal. */
  readonly unopened?: (why: Refusal) => Promise<Refusal>;
}

export type Work = (tutti: Tutti) => Outcome | Promise<Outcome>;

/** Opens the project for one command, and mentions what nobody looks after. */
export async function withProject(context: Context, manner: Manner, work: Work): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { despiteConfig = false } = manner;
  await askAboutMoved(context, manner);
  const opened = openTutti({ folder, env, caller, create: false, despiteConfig });
  return opened.ok
    ? withOpened(context, manner, opened.value, work)
    : failUnopened(context, manner, opened.error);
}

async function failUnopened(
  context: Context,
  { json, unopened }: Manner,
  refused: Refusal,
): Promise<Outcome> {
  const isLost = refused.outcome === 'UNAVAILABLE' && unopened !== undefined;
  return fail(context, isLost ? await unopened(refused) : refused, json);
}

/** The same where a folder without state is no mistake; `none` answers there. */
export async function withProjectIfMade(
  context: Context,
  manner: Manner,
  none: () => Outcome,
  work: Work,
): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { despiteConfig = false } = manner;
  await askAboutMoved(context, manner);
  const opened = openIfMade({ folder, env, caller, despiteConfig });
  if (!opened.ok) return failUnopened(context, manner, opened.error);
  return opened.value === null ? none() : withOpened(context, manner, opened.value, work);
}

/** Opens the project for a command that looks at one run. A project in which nothing ever ran is no mistake: see `sayNoRuns`. */
export function withRun(
  context: Context,
  manner: Manner,
  runId: string | undefined,
  work: (tutti: Tutti, run: Run) => Outcome | Promise<Outcome>,
  empty: object | null = null,
): Promise<Outcome> {
  const { json } = manner;
  const none = (): Outcome => {
    if (runId !== undefined) return fail(context, unknownRun(runId), json);
    return sayNoRuns(context, json, empty);
  };
  return withProjectIfMade(context, manner, none, (tutti) => {
    if (runId === undefined && newestRun(tutti) === null) return none();
    const run = chosenRun(tutti, runId);
    return run.ok ? work(tutti, run.value) : fail(context, run.error, json);
  });
}

/**
 * Reports that nothing has run in the project yet. With --json it prints `empty`: an object where the command prints one, and
 * nothing where the command prints one object per line.
 */
export function sayNoRuns(context: Context, json: boolean, empty: object | null = null): Outcome {
  const { folder, env } = context;
  if (!json)
    printLines(
      context,
      hasKeptHistory(folder, env)
        ? ['no runs: the state of this project was removed', '  → restore its runs: tutti recover']
        : ['no runs yet; start one: tutti build SPEC.md, or tutti run FILE'],
    );
  else if (empty !== null) printJson(context, empty);
  return 'SUCCESS';
}

export async function withOpened(
  context: Context,
  manner: Manner,
  opened: Tutti,
  work: Work,
): Promise<Outcome> {
  using tutti = opened;
  const { json, detach } = manner;
  const { reads = false } = context;
  context.protect(tutti.redactor);
  if (reads) tutti.store.refuseChanges();
  try {
    const outcome = await work(tutti);
    if (!json && detach !== true && tutti.store.isInPlace())
      mention(context, await overdueRuns(tutti), tutti);
    return outcome;
  } catch (error) {
    const known = refusalOfError(error, context.env);
    if (known === null) throw error;
    return await failUnopened(context, manner, known);
  } finally {
    // The log of what was done is kept by commands that do something.
    if (!reads) await tutti.audit.write();
  }
}

/** The run that was named, or the newest one that a person started. */
export function chosenRun(tutti: Tutti, runId: string | undefined): Result<Run, Refusal> {
  if (runId !== undefined) return required(tutti, runId);
  const newest = newestRun(tutti);
  if (newest !== null) return ok(newest);
  return err(refusal('USAGE', 'this project has no runs yet', 'start one with: tutti run FILE'));
}

function newestRun(tutti: Tutti): Run | null {
  return newestRuns(tutti, { limit: 200, sessions: false }).find(({ parent }) => parent === null) ?? null;
}

function mention({ process }: Context, overdue: readonly string[], tutti: Tutti): void {
  const isSession = (id: string): boolean => {
    const run = tutti.queries.run(id);
    return run !== null && familyOf(run).isSession;
  };
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
  const [waits, them] = ids.length === 1 ? [`1 ${noun} is`, 'it'] : [`${ids.length} ${noun}s are`, 'them'];
  return [
    `${waits} waiting and no process drives ${them}; continue ${ids.length === 1 ? 'it' : 'one'}: ${next} ${first}`,
  ];
}
