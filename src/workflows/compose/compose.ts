import { type Json, plain, recorded } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import type { ComposeInput, SpawnValue } from '../../model/compose-input.ts';
import { outlines } from '../../model/outline.ts';
import { spawnAgent } from './spawn-agent.ts';

/** A call of one layer of the composition hierarchy. */
export const composeWorkflow: Workflow = {
  name: 'compose',
  run: runCompose,
  end: (value) => {
    const { outcome, failure } = recorded<SpawnValue>(value);
    return { outcome, message: failure?.message ?? null };
  },
  ...outlines.compose,
};

async function runCompose(ctx: Ctx, json: Json): Promise<Json> {
  return plain(await spawnAgent(ctx, recorded<ComposeInput>(json)));
}
