import { relative } from 'node:path';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Session } from '../../../model/session.ts';
import type { SessionHost } from '../../../model/turn.ts';
import { refusal, type Refusal } from '../../../app/refusal.ts';
import { createSession, type Created } from '../../../app/sessions/create.ts';
import { openForRequest } from '../../../app/sessions/prepare.ts';
import { reasonOf } from '../../../app/sessions/reason.ts';
import type { CreateRequest } from '../../../app/sessions/request.ts';
import { sessionView, type SessionView } from '../../../app/sessions/status.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { admit } from '../../admit.ts';
import type { JsonFlag, TrustFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { withOpened } from '../../project.ts';
import { sayFoundDriver } from '../../say-driver.ts';
import { painter } from '../../render/style.ts';

export interface CreateFlags extends JsonFlag, TrustFlag {
  readonly driver?: string;
  readonly in?: Exclude<SessionHost, 'interactive'>;
  /** The earlier name of `in`. */
  readonly host?: Exclude<SessionHost, 'interactive'>;
  readonly interactive: boolean;
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly tag?: readonly string[];
  readonly parent?: string;
  readonly after?: readonly string[];
  readonly retry: number;
  readonly maxDuration?: number;
  readonly result?: 'required' | 'optional';
  readonly resultSchema?: string;
  readonly template?: string;
}

export async function create(
  flags: CreateFlags,
  context: Context,
  agent: string,
  promptFile: string,
): Promise<Outcome> {
  const { json } = flags;
  const wrong = misuseOf(flags);
  if (wrong !== null) return fail(context, wrong, json);
  const request = requestOf(flags, context, agent, promptFile);
  const admitted = await admit(context, flags);
  if (!admitted.ok) return fail(context, admitted.error, json);
  const opened = openForRequest(context, request);
  if (!opened.ok) return fail(context, opened.error, json);
  return withOpened(context, { json, detach: true }, opened.value, async (tutti) => {
    const created = await createSession(tutti, request);
    if (!created.ok) return fail(context, created.error, json);
    const isFound = request.driver === null && created.value.session.driver === tutti.config.driver;
    if (isFound) sayFoundDriver(context, flags, tutti.config);
    return sayCreated(context, tutti, created.value, json);
  });
}

function misuseOf({ in: place, host, interactive }: CreateFlags): Refusal | null {
  if (place !== undefined && host !== undefined && place !== host) {
    return refusal('USAGE', `--in ${place} and --host ${host} contradict each other`, 'leave out --host');
  }
  if (!interactive || (place ?? host) !== 'headless') return null;
  const message = '--interactive needs a pane of tmux, and --in headless has none';
  return refusal('USAGE', message, 'give one of the two');
}

/** Reports the session that was created, or that its process never came to run. */
export function sayCreated(context: Context, tutti: Tutti, created: Created, json: boolean): Outcome {
  const { session } = created;
  if (session.status === 'FAILED' && session.startedAt === null) {
    return fail(context, neverStarted(session, reasonOf(tutti, session)), json);
  }
  const view = sessionView(tutti, session);
  if (json) printJson(context, createdJson(view, created));
  else printCreated(context, view, created);
  return 'SUCCESS';
}

/** It was made, and its process never came to run: whoever asked for it should not believe that it works. */
function neverStarted({ id, outcome }: Session, reason: string | null): Refusal {
  const bad = outcome === null || outcome === 'SUCCESS' ? 'FAILURE' : outcome;
  const message = `Session ${id} could not be started${reason === null ? '' : `: ${reason}`}`;
  return refusal(bad, message, `look at it: tutti session status ${id}`);
}

function requestOf(
  flags: CreateFlags,
  { folder }: Context,
  agent: string,
  promptFile: string,
): CreateRequest {
  return {
    agent,
    promptFile,
    folder,
    driver: flags.driver ?? null,
    host: flags.interactive ? 'interactive' : (flags.in ?? flags.host ?? null),
    cwd: flags.cwd ?? null,
    addDirs: flags.addDir ?? [],
    tags: flags.tag ?? [],
    parent: flags.parent ?? null,
    after: flags.after ?? [],
    retry: flags.retry,
    maxDurationMs: flags.maxDuration ?? null,
    result: flags.result ?? null,
    resultSchema: flags.resultSchema ?? null,
    template: flags.template ?? null,
  };
}

/** In a pipe without the mark: there the third word of the first line is the id. */
function printCreated(context: Context, view: SessionView, { session, warnings }: Created): void {
  const { screen, folder } = context;
  const mark = screen.isTerminal ? `${painter(screen.colour)('good', '✔')} ` : '';
  printLines(context, [
    `${mark}Session created: ${session.id}`,
    ...(view.folder === null ? [] : [`  Workspace: ${relative(folder, view.folder)}/`]),
    view.tmuxName === null ? '  Host: headless' : `  Tmux: ${view.tmuxName}`,
    ...(view.after.length === 0 ? [] : [`  Waits for: ${view.after.join(', ')}`]),
    `  Attach: tutti session attach ${session.id}`,
  ]);
  for (const warning of warnings) context.process.stderr.write(`tutti: ${oneLine(warning, 500)}\n`);
}

function createdJson(view: SessionView, { session, warnings }: Created): object {
  return {
    session_id: session.id,
    status: session.status,
    host: session.host,
    workspace: view.folder,
    tmux_session: view.tmuxName,
    after: view.after,
    warnings,
  };
}
