import type { Json } from '../lib/json.ts';
import { keyOf } from '../model/key.ts';
import type { RecordedTurn } from '../model/turn.ts';
import type { Ctx } from './ctx.ts';

/** Under which key a turn is recorded, and what it was launched with if an earlier release launched it. */
export interface TurnKey {
  readonly key: string;
  /** Null: the prompt is rendered by this release. */
  readonly prompt: string | null;
}

/**
 * The key of a turn. The first releases digested the identity of the work together with the rendered prompt. A run that
 * recorded such a turn keeps it: its own prompt proves its key, so no template of those releases is needed (ADR 0012).
 */
export async function findTurnKey(
  ctx: Ctx,
  key: string,
  work: { readonly identity: Json; recognizes?(prompt: string): boolean },
  continues: string | null,
): Promise<TurnKey> {
  for (const turn of await ctx.turnsBeside(key)) {
    if (turn.continues !== continues) continue;
    const prompt = promptInKey(turn, () => work.identity);
    if (prompt !== null && (work.recognizes?.(prompt) ?? true)) return { key: turn.key, prompt: turn.prompt };
  }
  return { key, prompt: null };
}

const noteMark = '\n---\n\n';

/**
 * The part of a turn's prompt that its key was made from; null: the key was made from something else. Notes that were
 * added to a prompt stood after a rule and were never part of its key.
 */
export function promptInKey(turn: RecordedTurn, identityWith: (prompt: string) => Json): string | null {
  const { key, prompt } = turn;
  const id = key.slice(0, key.lastIndexOf('@'));
  for (let end = prompt.length; end >= 0; end = end === 0 ? -1 : prompt.lastIndexOf(noteMark, end - 1)) {
    const part = prompt.slice(0, end);
    if (keyOf(id, { identity: identityWith(part), prompt: part }) === key) return part;
  }
  return null;
}
