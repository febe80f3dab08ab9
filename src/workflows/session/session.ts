import { plain, recorded, type Json } from '../../lib/json.ts';
import { agentWork } from '../../kernel/agent-work.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import type { Failure } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import type { Outcome } from '../../model/outcome.ts';
import { sessionKey, type SessionInput } from '../../model/session-input.ts';

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
  const { spec, retryMax } = input;
  const missing = await afterOthers(ctx, input);
  if (missing !== null) return valueOf(null, missing);
  let tries = 0;
  const { ended, failure } = await agentWork(ctx, {
    id: 'session',
    keys: { first: sessionKey(1), heal: (count) => sessionKey(count + 1) },
    identity: null,
    words: null,
    prompt: spec.prompt,
    from: { turn: spec.turn, continues: spec.continues, conversation: spec.conversation },
    retryMax,
    spec: (turn) => ({ ...spec, ...turn }),
    gated: false,
    judge: () => Promise.resolve(null),
    progress: () => {
      tries += 1;
      return progressOf(ctx, spec.workspace, tries);
    },
  });
  return valueOf(ended.sessionId, failure);
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
