import { resumeWords } from '../model/heal-prompt.ts';
import { keyOf, stepIdOf } from '../model/key.ts';
import { limitPauseId, limitPauseMs, resumedTurnId } from '../model/limit-pause.ts';
import type { SessionSpec, TurnOutcome } from '../model/turn.ts';
import type { Ctx } from './ctx.ts';

/**
 * A turn, however often a usage limit stops it. The step sleeps until the limit is over, without a slot and without a
 * process, and goes on in the same conversation with a session of its own. No retry is used up: nothing failed.
 */
export async function sessionThroughLimits(ctx: Ctx, key: string, spec: SessionSpec): Promise<TurnOutcome> {
  const id = stepIdOf(key);
  let turn = await ctx.session(key, spec);
  for (let pauses = 1; turn.stop === 'limit'; pauses += 1) {
    const after = { key, pauses };
    const now = await ctx.now(keyOf(`${id}/limited-${pauses}`, after));
    await ctx.sleep(keyOf(limitPauseId(id, pauses), after), limitPauseMs(turn.resetAt, now, pauses));
    const { prompt, news } = resumeWords(spec.prompt);
    turn = await ctx.session(keyOf(resumedTurnId(id, pauses), after), {
      ...spec,
      prompt,
      // A turn that used no tool may have been refused before the CLI stored its prompt.
      news: turn.toolCalls === 0 ? prompt : news,
      turn: spec.turn + pauses,
      continues: turn.sessionId,
      conversation: turn.conversation,
    });
  }
  return turn;
}
