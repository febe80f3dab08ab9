import { openToRead, type OpenedProject } from '../app/opened-project.ts';
import { findProject, pathsOf } from '../app/project.ts';
import { hasKeptHistory, replacesRemoved } from '../app/recovery/kept-history.ts';
import { findUnknownRuns } from '../app/recovery/unknown-runs.ts';
import { refusal, refusalOfError, type Refusal } from '../app/refusal.ts';
import { required, unknownRun } from '../app/runs/find-run.ts';
import { newestRun } from '../app/runs/newest.ts';
import { refuseClosed } from '../app/trust/state-mark.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Run } from '../model/run.ts';
import type { JsonFlag } from './define-command.ts';
import { alsoContinuesLines } from './also-continues.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { mentionOverdue } from './mention-overdue.ts';
import { askAboutMoved } from './moved-state.ts';
import { printJson, printLines } from './print.ts';
import { unknownRunLines } from './render/unknown-run-lines.ts';

export interface Manner extends JsonFlag {
  /** It has just started a conductor, which needs a moment to be seen. */
  readonly detach?: boolean;
  /** It works with any configuration, because it only ends what runs. */
  readonly despiteConfig?: boolean;
  /** It uses no settings of the project that a person did not trust; for a command that changes something. */
  readonly withoutUntrusted?: boolean;
  /** Does without the database what can be done without it, and says so in the refusal. `SUCCESS`: that was all there is to do. */
  readonly unopened?: (why: Refusal) => Promise<Refusal | 'SUCCESS'>;
}

/**
 * Opens the project for a command that only looks: without drivers, workflows and whatever else it does not need. A folder
 * without state is no mistake; `none` answers there.
 */
export async function readProject(
  context: Context,
  manner: Manner,
  none: () => Outcome | Promise<Outcome>,
  work: (project: OpenedProject) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { folder, env, caller, pinned = false } = context;
  await askAboutMoved(context, manner);
  const opened = await openToRead({
    folder,
    env,
    caller,
    pinned,
    onIgnored: ignoreUntrusted(context, manner.json),
  });
  if (!opened.ok) return failUnopened(context, manner, opened.error);
  if (opened.value !== null) return withOpened(context, manner, opened.value, work);
  // What a program reads on standard output is the same as in a new project.
  if (manner.json && hasKeptHistory(folder, env)) context.process.stderr.write(`${removedLine}\n`);
  return none();
}

/** A `tutti.yaml` that is neither valid nor trusted keeps no command from looking, which says that it does without. */
export function ignoreUntrusted({ process }: Pick<Context, 'process'>, json: boolean) {
  return ({ message }: Refusal): void => {
    const why = 'tutti.yaml is ignored, because it is not trusted and not valid';
    if (!json) process.stderr.write(`${why}: ${message}; list its mistakes: tutti doctor\n`);
  };
}

const removedLine = 'the state of this project was removed; restore its runs: tutti recover';

/** For a command that would otherwise deny what was removed. */
export function removedLines({ folder, env }: Pick<Context, 'folder' | 'env'>): readonly string[] {
  return hasKeptHistory(folder, env)
    ? ['the state of this project was removed', '  → restore its runs: tutti recover']
    : [];
}

/** Refuses a run that is not recorded; the record may have been removed. */
export function refuseUnknownRun({ folder, env }: Pick<Context, 'folder' | 'env'>, runId: string): Refusal {
  const refused = unknownRun(runId);
  if (!hasKeptHistory(folder, env)) return refused;
  const message = `${refused.message}: the state of this project was removed`;
  return { ...refused, message, hint: 'restore its runs: tutti recover' };
}

/** The same for a command that looks at one run. A project in which nothing ever ran is no mistake: see `sayNoRuns`. */
export function readRun(
  context: Context,
  manner: Manner,
  runId: string | undefined,
  work: (project: OpenedProject, run: Run) => Outcome | Promise<Outcome>,
  empty: object | null = null,
): Promise<Outcome> {
  const { json } = manner;
  const none = async (project: OpenedProject | null = null): Promise<Outcome> => {
    if (runId !== undefined) return fail(context, refuseUnknownRun(context, runId), json);
    return sayNoRuns(context, json, empty, project);
  };
  return readProject(context, manner, none, async (project) => {
    if (runId === undefined && (await newestRun(project)) === null) return none(project);
    const run = await chosenRun(project, runId);
    return run.ok ? work(project, run.value) : fail(context, run.error, json);
  });
}

/** Works in an opened project, and mentions what nobody looks after. */
export async function withOpened<T extends OpenedProject>(
  context: Context,
  manner: Manner,
  opened: T,
  work: (project: T) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  using project = opened;
  const { json, detach } = manner;
  const { reads = false, pinned = false } = context;
  context.protect(project.redactor);
  if (reads) await project.store.refuseChanges();
  if (!json && (await replacesRemoved(project))) {
    const kept = 'the runs of the .tutti/ that was deleted here are kept';
    context.process.stderr.write(`${kept}; bring them back: tutti recover --removed\n`);
  }
  if (!json)
    project.onAlsoContinues = (runs) => {
      for (const line of alsoContinuesLines(runs)) context.process.stderr.write(`${line}\n`);
    };
  try {
    if (pinned) await project.pin();
    const outcome = await work(project);
    if (!json && detach !== true && project.alsoContinues === null) await mentionOverdue(context, project);
    return outcome;
  } catch (error) {
    const known = refusalOfError(error, context.env);
    if (known === null) throw error;
    return await failUnopened(context, manner, known);
  } finally {
    // The log of what was done is kept by commands that do something.
    if (!reads) await project.writeAudit();
  }
}

export async function failUnopened(
  context: Context,
  { json, unopened }: Manner,
  refused: Refusal,
): Promise<Outcome> {
  // What is done without the database leaves files in the state, and of another user's nothing is changed.
  const isAnothers = refuseClosed(pathsOf(findProject(context.folder)), context.env) !== null;
  if (refused.outcome !== 'UNAVAILABLE' || unopened === undefined || isAnothers) {
    return fail(context, refused, json);
  }
  const end = await unopened(refused);
  return end === 'SUCCESS' ? end : fail(context, end, json);
}

/**
 * Reports that nothing has run in the project yet. With --json it prints `empty`: an object where the command prints one, and
 * nothing where the command prints one object per line. `project`: the project, if it could be opened.
 */
export async function sayNoRuns(
  context: Context,
  json: boolean,
  empty: object | null = null,
  project: OpenedProject | null = null,
): Promise<Outcome> {
  const { folder, env } = context;
  const unknown = await unknownRunsOf(context, project);
  if (json) {
    const removed = hasKeptHistory(folder, env) ? { state_removed: true } : {};
    if (empty !== null)
      printJson(context, {
        ...empty,
        ...removed,
        ...(unknown.length === 0 ? {} : { unknown_runs: unknown }),
      });
    return 'SUCCESS';
  }
  const none = hasKeptHistory(folder, env)
    ? ['no runs: the state of this project was removed', '  → restore its runs: tutti recover']
    : ['no runs yet; start one: tutti build SPEC.md, or tutti run FILE'];
  printLines(context, [
    ...(unknown.length > 0 && none.length === 1 ? ['no runs are recorded'] : none),
    ...unknownRunLines(unknown),
  ]);
  return 'SUCCESS';
}

/** Runs with living processes that no record tells of. `project`: the project, if it could be opened. */
export function unknownRunsOf(
  { folder }: Pick<Context, 'folder'>,
  project: OpenedProject | null,
): Promise<readonly string[]> {
  const paths = project?.paths ?? pathsOf(findProject(folder));
  return findUnknownRuns(paths, async (id) => project !== null && (await project.queries.run(id)) !== null);
}

/** The run that was named, or the newest one that a person started. */
export async function chosenRun(
  project: OpenedProject,
  runId: string | undefined,
): Promise<Result<Run, Refusal>> {
  if (runId !== undefined) return required(project, runId);
  const newest = await newestRun(project);
  if (newest !== null) return ok(newest);
  return err(refusal('USAGE', 'this project has no runs yet', 'start one with: tutti run FILE'));
}
