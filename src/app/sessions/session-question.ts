import { findAsync } from '../../lib/async-list.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { OpenQuestion } from '../../model/question.ts';
import type { Session } from '../../model/session.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { isOwnRun, latestSession } from './find.ts';

type Asked = Pick<Tutti, 'queries'>;

/** A question for a person, by the name that `tutti answer` takes. */
export interface SessionQuestion {
  readonly id: string;
  readonly text: string;
  /** How it is answered, as a command. */
  readonly answer: string;
}

/** What the agent of a session asked in its result: only an answer continues its conversation. Null: nothing. */
export async function questionOf(tutti: Asked, session: Session): Promise<SessionQuestion | null> {
  if (!(await isOwnRun(tutti, session))) return null;
  // What a living agent asks permission for belongs to its session; this belongs to the run.
  const asked = (await tutti.queries.openQuestions(session.runId)).find(({ asker }) => asker === null);
  return asked === undefined ? null : nameQuestion(asked);
}

/** What this very session waits for, asked in its result or while it works. `open`: of its run, or of all runs. */
export async function awaitedAnswer(
  tutti: Asked,
  session: Session,
  open: readonly OpenQuestion[],
): Promise<SessionQuestion | null> {
  const ofRun = open.filter(({ runId }) => runId === session.runId);
  const asked = await findAsync(ofRun, async ({ asker, question }) => {
    const by = asker?.session ?? question.session;
    // A run that an earlier version parked does not say who asked.
    return by === undefined
      ? (await isOwnRun(tutti, session)) && (await latestSession(tutti, session)).id === session.id
      : by === session.id;
  });
  return asked === undefined ? null : nameQuestion(asked);
}

/** What a command says that cannot do its work before a person has answered. */
export function unanswered(session: string, { text, answer }: SessionQuestion): Refusal {
  const message = `session ${session} waits for an answer: ${oneLine(text, 300)}`;
  return refusal('HUMAN_INPUT', message, `answer it: ${answer}`);
}

/** By the name and the command that answer it. */
export function nameQuestion({ id, asker, question: { text, options = [] } }: OpenQuestion): SessionQuestion {
  const [first, ...others] = options;
  // A permission has few answers, and each of them is a word.
  if (asker !== null && first !== undefined)
    return { id, text, answer: `tutti answer ${id} ${first} (or ${others.join(', ')})` };
  const more = options.length === 0 ? '' : ' (tutti inbox shows what it offers)';
  return { id, text, answer: `tutti answer ${id} TEXT${more}` };
}
