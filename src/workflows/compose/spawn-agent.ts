import { agentWork } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import {
  type SpawnInput,
  type SpawnValue,
  spawnIdentity,
  spawnPrompt,
  spawnStep,
} from '../../model/compose-input.ts';
import { workspaceOfCall } from '../../model/compose/call-place.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';

/**
 * Layer 0: one turn of one agent, neither retried nor healed. Only an answer to its question, or the end of a usage limit,
 * continues its conversation.
 */
export async function spawnAgent(ctx: Ctx, input: SpawnInput): Promise<SpawnValue> {
  const { agent, timeoutMs, from, prompt, layer } = input;
  const { ended, failure } = await agentWork(ctx, {
    id: spawnStep,
    identity: spawnIdentity(input),
    words: prompt,
    prompt: spawnPrompt(input),
    retryMax: 0,
    gated: false,
    spec: (turn) =>
      turnOfAgent(agent, turn, {
        workspace: workspaceOfCall(input),
        timeoutMs,
        priority: 0,
        handoff: from,
      }),
    judge: () => Promise.resolve(null),
    progress: () => Promise.resolve(''),
  });
  const { result, sessionId, text } = ended;
  return {
    layer,
    outcome: failure?.outcome ?? 'SUCCESS',
    failure,
    sessionId,
    summary: result?.summary ?? text,
    artifacts: result?.artifacts ?? [],
  };
}
