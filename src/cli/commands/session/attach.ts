import { refusal } from '../../../app/refusal.ts';
import { followLog, type LogPlace } from '../../../app/sessions/follow-log.ts';
import { findSession, lookAtSession } from '../../../app/sessions/sessions-now.ts';
import { sessionView } from '../../../app/sessions/status.ts';
import { openPaneOf } from '../../../app/sessions/watch-session-tmux.ts';
import { sessionLog, untilEnded } from '../../../app/sessions/watch-session.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { isTerminal, type Session } from '../../../model/session.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { liveSessionArgument } from '../../arguments.ts';
import { closingOf } from '../../attach/closing-lines.ts';
import { lastLines } from '../../attach/last-lines.ts';
import { lineTeller, readerOf } from '../../attach/line-teller.ts';
import { watchLive } from '../../attach/live-view.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { painter } from '../../render/style.ts';
import { withSession } from '../../project.ts';

interface AttachFlags extends JsonFlag {
  readonly pane: boolean;
}

export const command = defineCommand<AttachFlags, [id: string]>({
  reads: true,
  follows: () => true,
  parameters: {
    flags: {
      pane: {
        kind: 'boolean',
        brief: 'For the pane of --in tmux: nothing that is typed ends it',
        default: false,
        withNegated: false,
        hidden: true,
      },
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [liveSessionArgument] },
  },
  about:
    "Opens the session's tmux pane if it has one; otherwise shows the session in this terminal. Ctrl-C\n" +
    'detaches; the session continues. Exits with the outcome of the session.',
  examples: [
    ['tutti session attach 20251118-153042-reviewer', 'watch it'],
    ['tutti session attach 20251118-153042-reviewer | cat', 'watch without input'],
  ],
  run: attach,
});

function attach(flags: AttachFlags, context: Context, name: string): Promise<Outcome> {
  const { pane, json } = flags;
  // The pane shows this session and nothing else: what waits elsewhere is told to the caller.
  return withSession(context, { json, detach: pane }, name, async (tutti, found) => {
    const { id } = found;
    const session = await lookAtSession(tutti, found);
    if (isTerminal(session.status) && !pane) {
      const message = `Session not active (status: ${session.status})`;
      return fail(context, refusal('USAGE', message, `read what it said: tutti session logs ${id}`), json);
    }
    const path = await sessionLog(tutti, session, 'output.log');
    if (!path.ok) return fail(context, path.error, json);
    const isWatched = context.screen.isTerminal && context.input.isTerminal && !json;
    if (isWatched && (pane || !(await gaveToTmux(context, tutti, session)))) {
      await watchLive(context, tutti, { session, path: path.value, pane });
    } else if (!isWatched) {
      await readOut(context, tutti, session, path.value, json);
    }
    const outcome = await close(context, tutti, session, json);
    if (pane && isWatched) await showForAMoment(context);
    return outcome;
  });
}

/** False: there is no pane, or tmux did not take the terminal; the session is then shown here. */
async function gaveToTmux(context: Context, tutti: Tutti, session: Session): Promise<boolean> {
  const pane = await openPaneOf(tutti, session);
  if (pane === null) return false;
  printLines(context, [`Attaching to session: ${pane.name}`, `   Press ${pane.detachKeys} to detach`]);
  return pane.attach();
}

/** Where nobody sits before it: like `logs --follow`. */
async function readOut(
  context: Context,
  tutti: Tutti,
  session: Session,
  path: LogPlace,
  json: boolean,
): Promise<void> {
  const lines = lastLines(null, (text) => {
    context.process.stdout.write(text);
  });
  const tell = lineTeller(context, { tutti, session, name: 'output.log', json, write: lines.add });
  await followLog(path, { ...tell, caughtUp: lines.flush }, untilEnded(tutti, session.id, readerOf(context)));
}

async function close(context: Context, tutti: Tutti, before: Session, json: boolean): Promise<Outcome> {
  const session = (await findSession(tutti, before.id)) ?? before;
  const { retriedAs } = await sessionView(tutti, session);
  const paint = painter(context.screen.colour);
  const closing = closingOf({ session, retriedAs, now: tutti.clock.wall(), paint });
  if (!json) printLines(context, closing.lines);
  else
    printJson<Output<'session-log'>>(context, {
      type: 'session',
      session_id: session.id,
      status: session.status,
      outcome: session.outcome,
    });
  return closing.outcome;
}

const momentMs = 5000;

/** So that the last lines of a pane can be read before it closes. */
async function showForAMoment(context: Context): Promise<void> {
  context.process.stdout.write('  this view closes in a few seconds, or with any key\n');
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      keys[Symbol.dispose]();
      signals[Symbol.dispose]();
      clearTimeout(timer);
      resolve();
    };
    const keys = context.input.onKey(finish);
    const signals = context.onSignal((signal) => {
      if (signal === 'SIGTERM') finish();
    });
    const timer = setTimeout(finish, momentMs);
  });
}
