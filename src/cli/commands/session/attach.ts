import { refusal } from '../../../app/refusal.ts';
import { followLog } from '../../../app/sessions/follow-log.ts';
import { sessionView } from '../../../app/sessions/status.ts';
import { openPaneOf } from '../../../app/sessions/watch-session-tmux.ts';
import { findSession, lookAtSession } from '../../../app/sessions/sessions-now.ts';
import { sessionLog, untilEnded } from '../../../app/sessions/watch-session.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { isTerminal, type Session } from '../../../model/session.ts';
import { closingOf } from '../../attach/closing-lines.ts';
import { lastLines } from '../../attach/last-lines.ts';
import { lineTeller, readerOf } from '../../attach/line-teller.ts';
import { watchLive } from '../../attach/live-view.ts';
import { shownForAMoment } from '../../attach/moment.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { painter } from '../../render/style.ts';
import { withSession } from '../../session-project.ts';

export interface AttachFlags extends JsonFlag {
  readonly pane: boolean;
}

export function attach(flags: AttachFlags, context: Context, name: string): Promise<Outcome> {
  const { pane, json } = flags;
  // The pane shows this session and nothing else: what waits elsewhere is told to the caller.
  return withSession(context, { json, detach: pane }, name, async (tutti, found) => {
    const { id } = found;
    const session = lookAtSession(tutti, found);
    if (isTerminal(session.status) && !pane) {
      const message = `Session not active (status: ${session.status})`;
      return fail(context, refusal('USAGE', message, `read what it said: tutti session logs ${id}`), json);
    }
    const path = sessionLog(tutti, session, 'output.log');
    if (!path.ok) return fail(context, path.error, json);
    const isWatched = context.screen.isTerminal && context.input.isTerminal && !json;
    if (isWatched && (pane || !(await gaveToTmux(context, tutti, session)))) {
      await watchLive(context, tutti, { session, path: path.value, pane });
    } else if (!isWatched) {
      await readOut(context, tutti, session, path.value, json);
    }
    const outcome = close(context, tutti, session, json);
    if (pane && isWatched) await shownForAMoment(context);
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
  path: () => string | null,
  json: boolean,
): Promise<void> {
  const lines = lastLines(null, (text) => {
    context.process.stdout.write(text);
  });
  const tell = lineTeller(context, { tutti, session, name: 'output.log', json, write: lines.add });
  await followLog(path, { ...tell, caughtUp: lines.flush }, untilEnded(tutti, session.id, readerOf(context)));
}

function close(context: Context, tutti: Tutti, before: Session, json: boolean): Outcome {
  const session = findSession(tutti, before.id) ?? before;
  const { retriedAs } = sessionView(tutti, session);
  const paint = painter(context.screen.colour);
  const closing = closingOf({ session, retriedAs, now: tutti.clock.wall(), paint });
  if (!json) printLines(context, closing.lines);
  else
    printJson(context, {
      type: 'session',
      session_id: session.id,
      status: session.status,
      outcome: session.outcome,
    });
  return closing.outcome;
}
