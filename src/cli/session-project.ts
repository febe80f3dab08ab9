import type { Outcome } from '../model/outcome.ts';
import type { Session } from '../model/session.ts';
import { requiredSession, unknownSession } from '../app/sessions/find.ts';
import type { Tutti } from '../app/tutti.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { type Manner, withProjectIfMade } from './project.ts';

/** Opens the project for a command about one session, by its id, the beginning of its id, or `last`. */
export function withSession(
  context: Context,
  manner: Manner,
  name: string,
  work: (tutti: Tutti, session: Session) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { json } = manner;
  const none = (): Outcome => fail(context, unknownSession(name), json);
  return withProjectIfMade(context, manner, none, (tutti) => {
    const found = requiredSession(tutti, name);
    return found.ok ? work(tutti, found.value) : fail(context, found.error, json);
  });
}
