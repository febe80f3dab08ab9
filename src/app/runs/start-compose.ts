import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { plain, recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import {
  type ContextText,
  type SpawnInput,
  spawnIdentity,
  spawnStep,
  tierOrModel,
} from '../../model/compose-input.ts';
import type { FlowInput } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';
import { parseAgent } from '../agents/find-agent.ts';
import { prepareAgent } from '../agents/snapshot-agents.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import { refuseFolder } from '../confinement.ts';
import { decide } from '../people/decide.ts';
import { identifyCaller } from '../people/identify-caller.ts';
import { checkPromptText, readPromptFile } from '../prompt-file.ts';
import { wasUsed } from '../recovery/database-fault.ts';
import { refusal, refusalOfProblems, type Refusal } from '../refusal.ts';
import { noSessions } from '../sessions/find.ts';
import { checkedFolder } from '../sessions/folders.ts';
import { originOf } from '../sessions/origin.ts';
import type { Place, Tutti } from '../tutti.ts';
import { leaseOn, type MayDetach } from './run-holder.ts';
import { type AdmittedDepth, admitDepth } from './spawn-depth.ts';
import { amendRun, freshRunId, mayStart, refuseRemovedId, refuseRunId, type Started } from './start-run.ts';

/** A text that the caller wrote, or the file that holds it. */
export type TextSource = ContextText | { readonly file: string };

/** `tutti spawn`, as it was typed. */
export interface SpawnRequest extends MayDetach {
  /** Where the caller stands. */
  readonly folder: string;
  readonly prompt: TextSource;
  readonly context: readonly TextSource[];
  /** File of the system prompt; front matter is read as in the file of an agent. */
  readonly systemPrompt: string | null;
  readonly driver: string | null;
  /** A tier, or the name of a model. */
  readonly model: string | null;
  readonly tools: readonly string[] | null;
  readonly cwd: string | null;
  readonly timeoutMs: number | null;
  readonly maxDepth: number | null;
  readonly currentDepth: number | null;
  readonly runId: string | null;
  readonly budget: Partial<BudgetLimits>;
}

/** A spawn that may be started: everything that it names was found. */
export interface PreparedSpawn {
  readonly request: SpawnRequest;
  readonly input: SpawnInput;
}

export interface SpawnStarted extends Started {
  readonly depth: AdmittedDepth;
}

/** Name of every agent that a caller describes. */
const agentName = 'spawn';

/** Checks a call against the project. Nothing is touched, so a refusal leaves nothing behind. */
export async function prepareSpawn(
  place: Place,
  request: SpawnRequest,
): Promise<Result<PreparedSpawn, Refusal>> {
  const unsafe = refuseRunId(request.runId) ?? (await refuseRemovedId(place, request.runId));
  if (unsafe !== null) return err(unsafe);
  const prompt = readSource(place, request, request.prompt, 'Prompt');
  if (!prompt.ok) return prompt;
  const context: ContextText[] = [];
  for (const source of request.context) {
    const text = readSource(place, request, source, 'Extra context');
    if (!text.ok) return text;
    context.push(text.value);
  }
  const cwd = folderOfSpawn(place, request);
  if (!cwd.ok) return cwd;
  const described = describeAgent(place, request);
  if (!described.ok) return described;
  const { root } = place.paths;
  const timeoutMs = request.timeoutMs ?? place.config.sessionTimeoutMs;
  const from = { parent: null, requester: '' };
  const texts = { prompt: prompt.value.text, context };
  const input: SpawnInput = {
    layer: 'primitive',
    projectDir: root,
    cwd: cwd.value,
    ...texts,
    ...described.value,
    timeoutMs,
    from,
  };
  // A project without state is made for a call that is in order, and only then.
  if (!wasUsed(place.paths)) {
    const known = { ...place, ...noSessions };
    const depth = await admitDepth(known, request, await originOf(known));
    if (!depth.ok) return depth;
  }
  return ok({ request, input });
}

/** Records the run of a call, or gives a known run this call. */
export async function startSpawn(
  tutti: Tutti,
  prepared: PreparedSpawn,
): Promise<Result<SpawnStarted, Refusal>> {
  const { request } = prepared;
  const { runId: asked, budget, maxDepth } = request;
  const removed = await refuseRemovedId(tutti, asked);
  if (removed !== null) return err(removed);
  const raised = await decideDepth(tutti, maxDepth);
  if (!raised.ok) return raised;
  const limits: BudgetLimits = { depth: maxDepth ?? tutti.config.maxDepth, ...budget };
  const runId = asked ?? (await freshRunId(tutti, agentName));
  const wanted = { runId, workflow: 'compose', noun: 'a spawn', limits, agent: agentName } as const;
  const may = await mayStart(tutti, wanted);
  if (!may.ok) return may;
  const { known, origin } = may.value;
  const depth = await admitDepth(tutti, request, origin);
  if (!depth.ok) return noteRefused(tutti, origin.requester, depth.error);
  const { parent, requester } = origin;
  const input = { ...prepared.input, from: { parent, requester } };
  const bounds = { limits, concurrency: 1 };
  if (known !== null) {
    if (known.depth < depth.value.above) return noteRefused(tutti, requester, shallower(runId, known.depth));
    const edited = await editedSteps(tutti, runId, input);
    const changed = await amendRun(tutti, runId, request, { ...bounds, input: plain(input), edited });
    return changed.ok ? ok({ runId, how: 'amended', note: null, depth: depth.value }) : changed;
  }
  const { traceId, within } = origin;
  const place = { id: runId, workflow: 'compose', depth: depth.value.above, traceId, within };
  const started = await tutti.store.start(
    { ...bounds, ...place, input: plain(input) },
    leaseOn(tutti, request),
  );
  // Another process started it since it was looked for.
  if (started === 'exists') return startSpawn(tutti, prepared);
  return ok({ runId, how: 'started', note: null, depth: depth.value });
}

/** A spawn as a flow of one step, for an estimate. */
export function spawnAsFlow({
  agent,
  prompt,
  cwd,
  timeoutMs,
}: SpawnInput): Pick<FlowInput, 'flow' | 'agents'> {
  const step = { id: spawnStep, needs: [], cwd, inputs: [], gates: [], retryMax: 0, timeoutMs } as const;
  const work = { kind: 'agent', agent: agent.name, prompt } as const;
  const steps = [{ ...step, work, required: true, estimateMs: null }];
  return { flow: { name: agentName, concurrency: 1, budget: {}, steps }, agents: { [agent.name]: agent } };
}

/** A call with another content pays for its turn; the same call keeps what it has. */
async function editedSteps(tutti: Tutti, runId: string, input: SpawnInput): Promise<ReadonlySet<string>> {
  const before = recorded<SpawnInput>(await tutti.queries.input(runId));
  const [was, is] = [before, input].map((each) => keyOf(spawnStep, spawnIdentity(each)));
  return new Set(was === is ? [] : [spawnStep]);
}

/** A run keeps the depth that it was started at, so a deeper caller may not use it to nest further. */
function shallower(runId: string, depth: number): Refusal {
  const message = `run ${runId} was started at depth ${depth}, and this command is deeper`;
  return refusal('DEPTH_EXCEEDED', message, 'start another run: leave out --run-id');
}

/** Only a person allows a greater depth than the configuration does. */
async function decideDepth(tutti: Tutti, asked: number | null): Promise<Result<unknown, Refusal>> {
  if (asked === null || asked <= tutti.config.maxDepth) return ok(null);
  if (identifyCaller(tutti.caller).kind === 'person') return ok(null);
  return decide(tutti, 'raise', `max_depth ${asked} of a spawn`);
}

async function noteRefused(
  { store }: Tutti,
  requester: string,
  refused: Refusal,
): Promise<{ readonly ok: false; readonly error: Refusal }> {
  const { message } = refused;
  // An agent in a sandbox may not write here; it is refused in any case.
  await store
    .note(null, { type: 'session.refused', agent: agentName, requester, message })
    .catch(() => undefined);
  return err(refused);
}

function readSource(
  { env }: Place,
  { folder }: SpawnRequest,
  source: TextSource,
  noun: string,
): Result<ContextText, Refusal> {
  if ('text' in source) {
    const text = checkPromptText(source.text, noun);
    return text.ok ? ok(source) : text;
  }
  const text = readPromptFile(source.file, { noun: `${noun} file`, folder, env });
  return text.ok ? ok({ name: basename(source.file), text: text.value }) : text;
}

/** Relative to the project. */
function folderOfSpawn(
  { paths: { root }, env }: Place,
  { folder, cwd }: SpawnRequest,
): Result<string, Refusal> {
  const found = checkedFolder(cwd ?? '.', { from: folder, within: [root] });
  if (!found.ok) return err(refusal('USAGE', `--cwd ${found.error}`, 'give a directory of the project'));
  const confined = refuseFolder(found.value, env);
  return confined === null ? ok(relative(realpathSync(root), found.value)) : err(confined);
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
