import type { Cassette, CassetteMatch, CassetteTurn } from '../../model/schemas/cassette.ts';
import { oneLine } from '../../lib/terminal-text.ts';

/** What a turn of a cassette is chosen by. */
export interface Asked {
  readonly agent: string;
  readonly step: string;
  readonly attempt: number;
  readonly turn: number;
  /** The task prompt, without the system prompt. */
  readonly task: string;
}

export type Match =
  | { readonly found: true; readonly turn: CassetteTurn }
  /** A sentence that says what was asked, which turn came nearest, and why it did not fit. */
  | { readonly found: false; readonly why: string };

/** The first turn, in order, whose every condition holds. */
export function matchTurn(cassette: Cassette, asked: Asked, name: string): Match {
  let nearest: { readonly index: number; readonly misfits: readonly string[] } | null = null;
  for (const [index, turn] of cassette.turns.entries()) {
    const misfits = misfitsOf(turn.match ?? {}, asked);
    if (misfits.length === 0) return { found: true, turn };
    if (nearest === null || misfits.length < nearest.misfits.length) nearest = { index, misfits };
  }
  const what = `agent ${asked.agent}, step ${asked.step}, attempt ${asked.attempt}, turn ${asked.turn}`;
  const told =
    nearest === null
      ? 'it has no turns'
      : `the nearest is turns[${nearest.index}], but ${nearest.misfits.join(' and ')}`;
  return { found: false, why: `no turn of ${name} fits ${what}; ${told}` };
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
  return misfits;
}
