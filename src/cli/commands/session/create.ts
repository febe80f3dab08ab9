import { relative } from 'node:path';
import { refusal, type Refusal } from '../../../app/refusal.ts';
import { type Created, createSession } from '../../../app/session-control/create.ts';
import { openForRequest } from '../../../app/session-control/open-for-request.ts';
import type { CreateRequest } from '../../../app/session-control/request.ts';
import { reasonOf } from '../../../app/sessions/reason.ts';
import { sessionView, type SessionView } from '../../../app/sessions/status.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Session } from '../../../model/session.ts';
import type { SessionHost } from '../../../model/turn.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { admit } from '../../admit.ts';
import { agentArgument, sessionArgument } from '../../arguments.ts';
import { alsoContinues } from '../../also-continues.ts';
import type { Context } from '../../context.ts';
import {
  defineCommand,
  jsonFlag,
  type JsonFlag,
  switchFlag,
  trustFlag,
  type TrustFlag,
} from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration, oneOf, wholeNumber } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { withOpened } from '../../project.ts';
import { painter } from '../../render/style.ts';
import { sayFoundDriver } from '../../say-driver.ts';
import { tagFlag } from './group.ts';
import { glyphs } from '../../../lib/glyphs.ts';

interface CreateFlags extends JsonFlag, TrustFlag {
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

/** Where the session is seen. */
const paneFlag = {
  kind: 'parsed',
  parse: oneOf(['headless', 'tmux']),
  brief: 'headless: no pane; tmux: also show the session in a pane',
  placeholder: 'headless|tmux',
  optional: true,
  proposeCompletions: (partial: string) => ['headless', 'tmux'].filter((place) => place.startsWith(partial)),
} as const;

export const command = defineCommand<CreateFlags, [agent: string, promptFile: string]>({
  reads: false,
  parameters: {
    flags: {
      driver: {
        kind: 'parsed',
        parse: String,
        brief: 'Driver to use; default: from the agent file or tutti.yaml',
        placeholder: 'NAME',
        optional: true,
      },
      in: paneFlag,
      host: { ...paneFlag, brief: 'The same as --in, by its earlier name', hidden: true },
      interactive: switchFlag("Run the CLI's own interface in a tmux pane"),
      cwd: {
        kind: 'parsed',
        parse: String,
        brief: 'Working directory, inside the project',
        placeholder: 'DIR',
        optional: true,
      },
      addDir: {
        kind: 'parsed',
        parse: String,
        brief: 'Additional directory the agent may use (repeatable)',
        placeholder: 'DIR',
        variadic: true,
        optional: true,
      },
      tag: { ...tagFlag, brief: 'Tag for filtering (repeatable)' },
      parent: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Parent session',
        optional: true,
      },
      after: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Start after this session succeeds (repeatable)',
        variadic: true,
        optional: true,
      },
      retry: {
        kind: 'parsed',
        parse: wholeNumber(0, 10),
        brief: 'Maximum retries after a failure; the same failure twice is not retried',
        placeholder: 'N',
        default: '0',
      },
      maxDuration: {
        kind: 'parsed',
        parse: duration,
        brief: 'Kill the session after this time, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      result: {
        kind: 'parsed',
        parse: oneOf(['required', 'optional']),
        brief: 'Whether the agent must return a result',
        placeholder: 'required|optional',
        optional: true,
        proposeCompletions: (partial) =>
          ['required', 'optional'].filter((choice) => choice.startsWith(partial)),
      },
      resultSchema: {
        kind: 'parsed',
        parse: String,
        brief: 'JSON Schema for the result',
        placeholder: 'FILE',
        optional: true,
      },
      template: {
        kind: 'parsed',
        parse: String,
        brief: 'Prompt template: validation, research, change, or templates/NAME.md',
        placeholder: 'NAME',
        optional: true,
      },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        agentArgument,
        { parse: String, brief: 'Prompt file, in Markdown', placeholder: 'PROMPT-FILE' },
      ],
    },
  },
  about:
    'Returns as soon as the agent runs; the agent continues in the background. In a pipe, the third word\n' +
    'of the first line is the session id. Exits with 23 if max_sessions sessions are already running.',
  examples: [
    ['tutti session create coder task.md', 'start an agent'],
    [
      'tutti session create coder task.md --max-duration 10m --tag nightly',
      'start one with a time limit and a tag',
    ],
    ['tutti session create tester check.md --after ID', 'start one after another session succeeds'],
    ['tutti session create coder task.md --in tmux', 'start one and show it in a tmux pane'],
  ],
  run: create,
});

async function create(
  flags: CreateFlags,
  context: Context,
  agent: string,
  promptFile: string,
): Promise<Outcome> {
  const { json } = flags;
  const wrong = misuseOf(flags);
  if (wrong !== null) return fail(context, wrong, json);
  const request = requestOf(flags, context, agent, promptFile);
  const admitted = await admit(context, flags, { template: flags.template });
  if (!admitted.ok) return fail(context, admitted.error, json);
  const opened = await openForRequest(context, request);
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
export async function sayCreated(
  context: Context,
  tutti: Tutti,
  created: Created,
  json: boolean,
): Promise<Outcome> {
  const { session } = created;
  if (session.status === 'FAILED' && session.startedAt === null) {
    return fail(context, neverStarted(session, await reasonOf(tutti, session)), json);
  }
  const view = await sessionView(tutti, session);
  if (json) printJson(context, { ...createdJson(view, created), ...alsoContinues(tutti) });
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
  const mark = screen.isTerminal ? `${painter(screen.colour)('good', glyphs.good)} ` : '';
  printLines(context, [
    `${mark}Session created: ${session.id}`,
    ...(view.folder === null ? [] : [`  Workspace: ${relative(folder, view.folder)}/`]),
    view.tmuxName === null ? '  Display: headless' : `  Tmux: ${view.tmuxName}`,
    ...(view.after.length === 0 ? [] : [`  Waits for: ${view.after.join(', ')}`]),
    `  Attach: tutti session attach ${session.id}`,
  ]);
  for (const warning of warnings) context.process.stderr.write(`tutti: ${oneLine(warning, 500)}\n`);
}

function createdJson(view: SessionView, { session, warnings }: Created): Output<'session-create'> {
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
