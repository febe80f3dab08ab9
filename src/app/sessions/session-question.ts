import type { Session } from '../../model/session.ts';
import type { Tutti } from '../tutti.ts';
import { isOwnRun } from './find.ts';

/** A question for a person, by the name that `tutti answer` takes. */
export interface SessionQuestion {
  readonly id: string;
  readonly text: string;
}

/** What the agent of a session asked in its result: only an answer continues its conversation. Null: nothing. */
export function questionOf(tutti: Pick<Tutti, 'queries'>, session: Session): SessionQuestion | null {
  if (!isOwnRun(tutti, session)) return null;
  // What a living agent asks permission for belongs to its session; this belongs to the run.
  const asked = tutti.queries.openQuestions(session.runId).find(({ asker }) => asker === null);
  return asked === undefined ? null : { id: asked.id, text: asked.question.text };
}
