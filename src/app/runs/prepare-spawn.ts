import { err, ok, type Result } from '../../lib/result.ts';
import { tierOrModel } from '../../model/compose/call-place.ts';
import { type SpawnInput, spawnStep } from '../../model/compose-input.ts';
import { parseAgent } from '../agents/find-agent.ts';
import { prepareAgent } from '../agents/snapshot-agents.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import { readPromptFile } from '../prompt-file.ts';
import { refusalOfProblems, type Refusal } from '../refusal.ts';
import type { Place } from '../tutti.ts';
import {
  type CallRequest,
  type PreparedCall,
  readCallPlace,
  readSource,
  refuseDepthEarly,
  type TextSource,
} from './call-request.ts';

/** `tutti spawn`, as it was typed. */
export interface SpawnRequest extends CallRequest {
  readonly prompt: TextSource;
  /** File of the system prompt; front matter is read as in the file of an agent. */
  readonly systemPrompt: string | null;
}

/** Name of every agent that a caller describes. */
const agentName = 'spawn';

/** Checks a call against the project. Nothing is touched, so a refusal leaves nothing behind. */
export async function prepareSpawn(
  place: Place,
  request: SpawnRequest,
): Promise<Result<PreparedCall, Refusal>> {
  const where = await readCallPlace(place, request);
  if (!where.ok) return where;
  const prompt = readSource(place, request, request.prompt, 'Prompt');
  if (!prompt.ok) return prompt;
  const described = describeAgent(place, request);
  if (!described.ok) return described;
  const timeoutMs = request.timeoutMs ?? place.config.sessionTimeoutMs;
  const input: SpawnInput = {
    layer: 'primitive',
    ...where.value,
    prompt: prompt.value.text,
    ...described.value,
    timeoutMs,
  };
  const tooDeep = await refuseDepthEarly(place, request);
  if (tooDeep !== null) return err(tooDeep);
  return ok({ request, input, name: agentName, agent: agentName, flow: spawnAsFlow(input) });
}

/** A spawn as a flow of one step. */
function spawnAsFlow({ agent, prompt, cwd, timeoutMs }: SpawnInput): PreparedCall['flow'] {
  const step = { id: spawnStep, needs: [], cwd, inputs: [], gates: [], retryMax: 0, timeoutMs } as const;
  const work = { kind: 'agent', agent: agent.name, prompt } as const;
  const steps = [{ ...step, work, required: true, estimateMs: null }];
  return { flow: { name: agentName, concurrency: 1, budget: {}, steps }, agents: { [agent.name]: agent } };
}

function describeAgent(
  place: Place,
  request: SpawnRequest,
): Result<Pick<SpawnInput, 'call' | 'agent'>, Refusal> {
  const { systemPrompt: file, folder, model, driver, tools, budget } = request;
  const text =
    file === null ? ok('') : readPromptFile(file, { noun: 'System prompt file', folder, env: place.env });
  if (!text.ok) return text;
  const parsed = parseAgent(agentName, text.value, file ?? agentName);
  if (!parsed.ok) return err(refusalOfProblems([parsed.error], 'fix it, then call again'));
  const agent = { ...parsed.value, tools: tools ?? parsed.value.tools };
  const chosen = model === null ? {} : tierOrModel(model);
  const snapshot = snapshotOf(agent, place.config);
  const ready = prepareAgent(place, agent, budget, {
    ...snapshot,
    ...chosen,
    driver: driver ?? snapshot.driver,
    // The depth decides how far agents nest here, not the file of an agent.
    startsSessions: true,
  });
  if (!ready.ok) return ready;
  const call = {
    systemPrompt: text.value,
    tier: agent.tier,
    model: agent.model,
    ...chosen,
    tools: agent.tools.length === 0 ? null : agent.tools,
    driver: driver ?? agent.driver,
  };
  return ok({ call, agent: ready.value });
}
