import { type Json, plain, recorded } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { recordVerdict } from '../../kernel/record-verdict.ts';
import type { ComposeInput, ComposeValue } from '../../model/compose-input.ts';
import { type ExecutorInput, executorStep, type ExecutorValue } from '../../model/compose/executor-call.ts';
import { outlines } from '../../model/outline.ts';
import { executeCall } from './executor-work.ts';
import { runStages } from './orchestrator-work.ts';
import { spawnAgent } from './spawn-agent.ts';

/** A call of one layer of the composition hierarchy. */
export const composeWorkflow: Workflow = {
  name: 'compose',
  run: runCompose,
  end: (value) => {
    const { outcome, failure } = recorded<ComposeValue>(value);
    return { outcome, message: failure?.message ?? null };
  },
  ...outlines.compose,
};

async function runCompose(ctx: Ctx, json: Json): Promise<Json> {
  return plain(await runLayer(ctx, recorded<ComposeInput>(json)));
}

function runLayer(ctx: Ctx, input: ComposeInput): Promise<ComposeValue> {
  switch (input.layer) {
    case 'primitive':
      return spawnAgent(ctx, input);
    case 'executor':
      return runExecutor(ctx, input);
    case 'orchestrator':
      return runStages(ctx, input);
  }
}

async function runExecutor(ctx: Ctx, input: ExecutorInput): Promise<ExecutorValue> {
  const id = executorStep(input);
  const { call, judges } = input;
  const received = { identity: null, blocks: [] };
  const job = { id, call, judges, place: input, priority: 0, received, beside: [] };
  const { end, after } = await executeCall(ctx, job);
  const verdict = await recordVerdict(ctx, id, after, { verdict: end, outcome: end.outcome });
  return { layer: 'executor', step: id, ...verdict };
}
