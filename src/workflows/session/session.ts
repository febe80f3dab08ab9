import { plain, recorded, type Json } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { mayRetry, type FailedTry } from '../../kernel/retry.ts';
import type { Failure } from '../../model/failure.ts';
import { sessionThroughLimits } from '../../kernel/through-limits.ts';
import { healPrompt } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import type { Outcome } from '../../model/outcome.ts';
import { sessionKey, type SessionInput } from '../../model/session-input.ts';
import { failureOfTurn, type TurnOutcome } from '../../model/turn.ts';

export interface SessionValue {
  /** Null when it never came to run. */
  readonly sessionId: string | null;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
}

/** One session that a person or an agent asked for: after others, and again if it failed and something changed. */
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
  let before: { readonly turn: TurnOutcome; readonly failure: Failure } | null = null;
  for (;;) {
    const number = tries.length + 1;
    const again =
      before === null
        ? {}
        : {
            prompt: healPrompt(spec.prompt, before.failure),
            turn: number,
            continues: before.turn.sessionId,
            conversation: before.turn.conversation,
          };
    const turn = await sessionThroughLimits(ctx, sessionKey(number), { ...spec, ...again });
    const failure = failureOfTurn(turn);
    if (failure === null) return valueOf(turn.sessionId, null);
    tries.push({ failure, progress: await progressOf(ctx, spec.workspace, number) });
    const decision = mayRetry(tries, input.retryMax);
    if (decision.verdict === 'give-up') return valueOf(turn.sessionId, decision.failure);
    before = { turn, failure };
  }
}

/** Null: they have succeeded. A host task, because only a host can see the sessions of other runs. */
async function afterOthers(ctx: Ctx, { after, spec }: SessionInput): Promise<Failure | null> {
  if (after.length === 0) return null;
  const args = { sessions: [...after] };
  const waited = await ctx.task(keyOf('after', args), 'after', args, { workspace: spec.workspace });
  return recorded<Failure | null>(waited.value);
}

async function progressOf(ctx: Ctx, workspace: string, number: number): Promise<string> {
  const key = keyOf('session/progress', { try: number });
  const { value } = await ctx.task(key, 'progress', { artifacts: [] }, { workspace });
  return typeof value === 'string' ? value : '';
}

function valueOf(sessionId: string | null, failure: Failure | null): Json {
  const value: SessionValue = { sessionId, outcome: failure?.outcome ?? 'SUCCESS', failure };
  return plain(value);
}
