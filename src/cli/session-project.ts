import type { Outcome } from '../model/outcome.ts';
import { unknownSession } from '../app/sessions/find.ts';
import { openIfMade } from '../app/sessions/prepare.ts';
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

/** The same for a command about a certain session: where there is no project, there is no such session. */
export function withSession(context: Context, manner: Manner, id: string, work: Work): Promise<Outcome> {
  return withSessions(context, manner, () => fail(context, unknownSession(id), manner.json), work);
}
