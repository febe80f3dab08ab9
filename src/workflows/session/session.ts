import { plain, recorded, type Json } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { type Question, repeatedQuestion } from '../../model/question.ts';
import { askAll } from '../../kernel/agent-work.ts';
import { mayRetry, type FailedTry } from '../../kernel/retry.ts';
import type { Failure } from '../../model/failure.ts';
import { sessionThroughLimits } from '../../kernel/through-limits.ts';
import { answersWords, healWords, type LaterWords, withAnswers } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import type { Outcome } from '../../model/outcome.ts';
import { sessionKey, type SessionInput } from '../../model/session-input.ts';
import { failureOfTurn, type SessionSpec } from '../../model/turn.ts';

export interface SessionValue {
  /** Null when it never came to run. */
  readonly sessionId: string | null;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
}

/**
 * One session that a person or an agent asked for: after others, again if it failed and something changed, and on with
 * its conversation once a person has answered what its agent asked.
 */
export const sessionWorkflow: Workflow = {
  name: 'session',
  run: runSession,
  end: (value) => {
    const { outcome, failure } = recorded<SessionValue>(value);
    return { outcome, message: failure?.message ?? null };
  },
};

async function runSession(ctx: Ctx, json: Json): Promise<Json> {
  const input = recorded<SessionInput>(json);
  const { spec } = input;
  const missing = await afterOthers(ctx, input);
  if (missing !== null) return valueOf(null, missing);
  const tries: FailedTry[] = [];
  const answered: Question[] = [];
  const task = (): string => withAnswers(spec.prompt, ctx.answers('session'));
  let questions = 0;
  let key = sessionKey(1);
  let next = spec;
  for (;;) {
    const turn = await sessionThroughLimits(ctx, key, next);
    const after = (words: LaterWords): SessionSpec => ({
      ...spec,
      ...words,
      turn: next.turn + 1,
      continues: turn.sessionId,
      conversation: turn.conversation,
    });
    const asked = turn.result?.questions ?? [];
    const repeated = repeatedQuestion(asked, answered);
    if (repeated !== null) return valueOf(turn.sessionId, repeated);
    if (asked.length > 0) {
      questions += 1;
      answered.push(...asked);
      const answers = await askAll(
        ctx,
        { step: 'session', after: key, round: questions, agent: spec.agent, turn },
        asked,
      );
      const said = answers.map(({ answer }) => answer.text);
      key = keyOf(`session/answer-${questions}`, { after: key, answers: said });
      next = after(answersWords(spec.prompt, answers, ctx.answers('session')));
      continue;
    }
    const failure = failureOfTurn(turn);
    if (failure === null) return valueOf(turn.sessionId, null);
    tries.push({ failure, progress: await progressOf(ctx, spec.workspace, tries.length + 1) });
    const decision = mayRetry(tries, input.retryMax);
    if (decision.verdict === 'give-up') return valueOf(turn.sessionId, decision.failure);
    key = sessionKey(tries.length + 1);
    next = after(healWords(task(), failure));
  }
}

/** Null: they have succeeded. An operation, because only a host can see the sessions of other runs. */
async function afterOthers(ctx: Ctx, { after, spec }: SessionInput): Promise<Failure | null> {
  if (after.length === 0) return null;
  const args = { sessions: [...after] };
  return ctx.operation(keyOf('after', args), 'after', args, { workspace: spec.workspace });
}

function progressOf(ctx: Ctx, workspace: string, number: number): Promise<string> {
  const key = keyOf('session/progress', { try: number });
  return ctx.operation(key, 'progress', { artifacts: [] }, { workspace });
}

function valueOf(sessionId: string | null, failure: Failure | null): Json {
  const value: SessionValue = { sessionId, outcome: failure?.outcome ?? 'SUCCESS', failure };
  return plain(value);
}
