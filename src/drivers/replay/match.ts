import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Cassette, CassetteMatch, CassetteTurn } from '../../model/schemas/cassette.ts';

/** What a turn of a cassette is chosen by. */
export interface Asked {
  readonly agent: string;
  readonly step: string;
  readonly attempt: number;
  readonly turn: number;
  /** The task prompt, without the system prompt. */
  readonly task: string;
  /** Puts in what `{NAME}` stands for. */
  fill(text: string): string;
  /** How many sessions asked the same by now, this one included. */
  times(conditions: string): number;
}

export type Match =
  | { readonly found: true; readonly turn: CassetteTurn }
  /** A sentence that says what was asked, which turn came nearest, and why it did not fit. */
  | { readonly found: false; readonly why: string };

/** The first turn, in order, whose every condition holds; of those with `nth`, the one whose time it is. */
export function matchTurn(cassette: Cassette, asked: Asked, name: string): Match {
  let nearest: { readonly index: number; readonly misfits: readonly string[] } | null = null;
  for (const [index, turn] of cassette.turns.entries()) {
    const misfits = misfitsOf(turn.match ?? {}, asked);
    if (misfits.length === 0) return { found: true, turn: inItsTime(cassette, turn, asked) };
    if (nearest === null || misfits.length < nearest.misfits.length) nearest = { index, misfits };
  }
  const what = `agent ${asked.agent}, step ${asked.step}, attempt ${asked.attempt}, turn ${asked.turn}`;
  const told =
    nearest === null
      ? 'it has no turns'
      : `the nearest is turns[${nearest.index}], but ${nearest.misfits.join(' and ')}`;
  return { found: false, why: `no turn of ${name} fits ${what}; ${told}` };
}

/** Of the turns with the same conditions the n-th, and after the last the first again. */
function inItsTime(cassette: Cassette, first: CassetteTurn, asked: Asked): CassetteTurn {
  if (first.match?.nth === undefined) return first;
  const conditions = conditionsOf(first.match);
  const same = cassette.turns
    .filter(({ match }) => match?.nth !== undefined && conditionsOf(match) === conditions)
    .toSorted((a, b) => (a.match?.nth ?? 0) - (b.match?.nth ?? 0));
  return same[(asked.times(conditions) - 1) % same.length] ?? first;
}

/** The same for matches that differ in nothing but `nth`. */
export function conditionsOf(match: CassetteMatch): string {
  return digest(plain({ ...match, nth: undefined }));
}

function misfitsOf(match: CassetteMatch, asked: Asked): readonly string[] {
  const misfits: string[] = [];
  for (const name of ['agent', 'step', 'attempt', 'turn'] as const) {
    const wanted = match[name];
    if (wanted !== undefined && wanted !== asked[name]) {
      misfits.push(`its ${name} is ${JSON.stringify(wanted)}, not ${JSON.stringify(asked[name])}`);
    }
  }
  if (match.contains !== undefined && !asked.task.includes(match.contains)) {
    misfits.push(`the prompt does not contain ${JSON.stringify(oneLine(match.contains, 80))}`);
  }
  if (match.prompt !== undefined && !isPrompt(asked.fill(match.prompt), asked.task)) {
    misfits.push(`the prompt is not ${JSON.stringify(oneLine(match.prompt, 80))}`);
  }
  return misfits;
}

const redacted = /\[redacted:[A-Za-z0-9_.-]*\]/;

/** What was taken out of a recorded prompt may be anything; the rest is the same. */
function isPrompt(recorded: string, task: string): boolean {
  const [first = '', ...rest] = recorded.split(redacted);
  const last = rest.pop();
  if (last === undefined) return recorded === task;
  if (!task.startsWith(first) || !task.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = task.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= task.length - last.length;
}
