import { isObject, type Json } from '../lib/json.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { didYouMean } from '../lib/nearest.ts';

/** Something the asker may not decide. */
export interface Question {
  readonly text: string;
  /** Offered answers. */
  readonly options?: readonly string[];
  /** Present: an answer is one of the options, and a reason may follow these. Absent: any text is an answer. */
  readonly closed?: {
    readonly withReason: readonly string[];
    /** Other words for the options, in lower case. */
    readonly words?: Readonly<Record<string, string>>;
  };
  /** What the person needs to see in order to decide. */
  readonly evidence?: Json;
  /** Step that asks, in the plan's words. */
  readonly step?: string;
  readonly agent?: string;
  /** The session whose result asks it; absent: a gate asks, or a session while it works. */
  readonly session?: string;
  /** When it is too late to answer; absent: never. */
  readonly until?: number;
}

export interface Answer {
  readonly text: string;
  readonly by: string;
  readonly at: number;
}

/** A question of an agent that a person answered. */
export interface AnsweredQuestion {
  readonly question: string;
  readonly answer: Pick<Answer, 'text'>;
}

/** A question in the inbox. */
export interface OpenQuestion {
  readonly id: string;
  readonly runId: string;
  readonly key: string;
  readonly question: Question;
  readonly askedAt: number;
  /** The session that asks while it works, and what it calls the question; null: the run asks, and waits. */
  readonly asker: { readonly session: string; readonly request: number } | null;
}

/** The session whose agent asks, while it works or at the end of its turn; null: no agent does. */
export function findAsker({ asker, question }: Pick<OpenQuestion, 'asker' | 'question'>): string | null {
  return asker?.session ?? question.session ?? null;
}

interface GivenAnswer {
  readonly id: string;
  readonly answer: string | null;
  readonly answeredBy: string | null;
}

/** A question that was answered, by whom, and that no other answer counts; null: it has none. */
export function firstAnswer({ id, answer, answeredBy }: GivenAnswer): string | null {
  if (answer === null) return null;
  const by = answeredBy === null ? '' : ` by ${answeredBy}`;
  return `${id} was already answered with '${oneLine(answer, 80)}'${by}, and the first decision counts`;
}

/** Whether a plan's run asks to be approved; its options tell it from the question that follows a bad edit, and from a gate. */
export function isApproval({ question }: Pick<OpenQuestion, 'question'>): boolean {
  const { step, options = [] } = question;
  return step === 'approval' && options.includes('approve') && options.includes('edit');
}

/** Whether a plan's run asked in this round about phases that do not fit: until the answer, no agent changes tasks. */
export function isAboutPhases({ question }: Pick<OpenQuestion, 'question'>, round: number): boolean {
  const { step, agent, evidence = null } = question;
  return step === 'sequencing' && agent === undefined && isObject(evidence) && evidence['round'] === round;
}

/** A question of Tutti's own, on whose answer code decides: another word would count as the gravest of them. */
export const closed = { withReason: [] } as const;

/** Whether options may be chosen by number. Options that are numbers themselves are chosen by their own words. */
export function isNumbered(options: readonly string[]): boolean {
  return !options.some((option) => /^\d+$/.test(option));
}

/** What a person typed as the answer it stands for: the option itself for its number, letter case or initial. */
export function chooseAnswer(
  { options = [], closed: only }: Pick<Question, 'options' | 'closed'>,
  said: string,
): Result<string, string> {
  if (options.length === 0) return ok(said);
  const typed = translate(said, only?.words ?? {});
  const text = typed.toLowerCase();
  const begun = text.length === 1 ? options.filter((option) => option.toLowerCase().startsWith(text)) : [];
  const numbered = isNumbered(options);
  const exact = options.find((option) => option.toLowerCase() === text);
  const byNumber = numbered ? options[Number(typed) - 1] : undefined;
  const chosen = exact ?? byNumber ?? (only !== undefined && begun.length === 1 ? begun[0] : undefined);
  if (chosen !== undefined) return ok(chosen);
  if (numbered && /^\d+$/.test(typed)) return err(`there are ${options.length} options, not ${typed}`);
  if (only === undefined) return ok(typed);
  const [, word = '', reason] = /^(\w+)(?:\s*:\s*(.*)|\W.*)$/s.exec(typed) ?? [];
  const option = only.withReason.find((each) => each.toLowerCase() === word.toLowerCase());
  if (option !== undefined && reason === '')
    return err(
      `'${oneLine(said, 80)}' has no reason after its colon; answer '${option}' or '${option}: REASON'`,
    );
  if (option !== undefined && reason !== undefined) return ok(`${option}: ${reason}`.trim());
  const none = `'${oneLine(said, 80)}' is none of ${options.join(', ')}`;
  // Words that only follow may be a condition, or take the word back.
  if (option !== undefined) return err(`${none}; a reason follows a colon: '${option}: REASON'`);
  return err(`${none}${numbered ? didYouMean(said, options) : ''}`);
}

/** With the option for another word that begins it: `yes: fine` is `approve: fine`. */
function translate(said: string, words: Readonly<Record<string, string>>): string {
  const [word = ''] = /^\w+/.exec(said) ?? [];
  const option = Object.hasOwn(words, word.toLowerCase()) ? words[word.toLowerCase()] : undefined;
  return option === undefined ? said : `${option}${said.slice(word.length)}`;
}

/** The number of a question as a person types it, `Q7` or `7`; null: it is named by its key. */
export function questionNumber(typed: string): number | null {
  const number = /^Q?(\d{1,9})$/i.exec(typed)?.[1];
  return number === undefined ? null : Number(number);
}
