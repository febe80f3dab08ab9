import type { Outcome } from '../model/outcome.ts';
import type { Session } from '../model/session.ts';
import { requiredSession, unknownSession } from '../app/sessions/find.ts';
import { openIfMade } from '../app/sessions/prepare.ts';
import type { Tutti } from '../app/tutti.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { type Manner, withOpened, type Work } from './project.ts';

/** Opens the project for a command about sessions; `none` answers in a folder where nothing was ever started. */
export async function withSessions(
  context: Context,
  manner: Manner,
  none: () => Outcome,
  work: Work,
): Promise<Outcome> {
  const opened = openIfMade(context);
  if (!opened.ok) return fail(context, opened.error, manner.json);
  return opened.value === null ? none() : withOpened(context, manner, opened.value, work);
}

/** The same for a command about one session, by its id, the beginning of its id, or `last`. */
export function withSession(
  context: Context,
  manner: Manner,
  name: string,
  work: (tutti: Tutti, session: Session) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { json } = manner;
  const none = (): Outcome => fail(context, unknownSession(name), json);
  return withSessions(context, manner, none, (tutti) => {
    const found = requiredSession(tutti, name);
    return found.ok ? work(tutti, found.value) : fail(context, found.error, json);
  });
}
