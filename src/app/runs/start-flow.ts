import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { canonical, plain, recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { graphOf, sentenceOf } from '../../model/graph.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import { agentsOfStep, type Flow, type FlowInput } from '../../model/flow.ts';
import { nodesOf } from '../../workflows/flow/flow.ts';
import { keepAgents } from '../agents/kept-agents.ts';
import { snapshotAgents } from '../agents/snapshot-agents.ts';
import { loadFlow } from '../flow-file/load-flow.ts';
import { findProgram } from '../../lib/find-program.ts';
import { digestFiles } from '../host/digest.ts';
import { folderInProject } from '../host/step-folder.ts';
import { refusal, refusalOfProblems, type Refusal } from '../refusal.ts';
import { findNearFlow } from './near-flow.ts';
import { leaseOn, type MayDetach } from './run-holder.ts';
import { amendRun, freshRunId, mayStart, refuseRemovedId, refuseRunId, type Started } from './start-run.ts';
import { countsFlow } from '../trust/named-file.ts';
import type { Place, Tutti } from '../tutti.ts';

export interface FlowRequest extends MayDetach {
  readonly file: string;
  readonly folder: string;
  readonly runId: string | null;
  readonly maxParallel: number | null;
  /** Take agent files again for a run that has them already. */
  readonly refresh?: boolean;
}

/** Reads and checks a flow completely; nothing is touched. */
export function checkFlow(request: Pick<FlowRequest, 'file' | 'folder'>): Result<Flow, Refusal> {
  const path = resolve(request.folder, request.file);
  if (!existsSync(path)) return err(refuseMissing(request, path));
  const flow = loadFlow(path);
  if (!flow.ok) return err(refusalOfProblems(flow.error, hintFor(request)));
  const plan = graphOf(nodesOf(flow.value.steps));
  if (plan.ok) return flow;
  const message = `${request.file}: ${plan.error.map(sentenceOf).join('; ')}`;
  return err(refusal('USAGE', message, hintFor(request)));
}

function hintFor({ file }: Pick<FlowRequest, 'file'>): string {
  return `fix it, then: tutti run ${file}`;
}

function refuseMissing({ file, folder }: Pick<FlowRequest, 'file' | 'folder'>, path: string): Refusal {
  const near = findNearFlow(file, folder);
  const message = `${path} does not exist`;
  return near === null
    ? refusal('USAGE', message, 'check the path, or write an example: tutti init --demo tutti-demo')
    : refusal('USAGE', `${message}; did you mean '${near}'?`, `tutti run ${shellWord(near)}`);
}

/** A flow that may be started: everything it names was found and taken. */
export interface PreparedFlow {
  readonly flow: Flow;
  readonly request: FlowRequest;
  readonly input: FlowInput;
}

/** The rest of the checks, against the project: still nothing is touched, so a refusal leaves nothing behind. */
export async function prepareFlow(
  place: Place,
  flow: Flow,
  request: FlowRequest,
): Promise<Result<PreparedFlow, Refusal>> {
  const unsafe = refuseRunId(request.runId) ?? (await refuseRemovedId(place, request.runId));
  if (unsafe !== null) return err(unsafe);
  const file = resolve(request.folder, request.file);
  if (!countsFlow(file, place.paths.root, place.env)) {
    const message = `${request.file} is not trusted as it is now, and its commands and prompts were not used`;
    const named = shellWord(request.file);
    const hint = `look at it and trust it: tutti trust ${named}; in a script: tutti run ${named} --trust`;
    return err(refusal('USAGE', message, hint));
  }
  const input = await flowInput(place, flow);
  if (!input.ok) return input;
  const within = relative(place.paths.root, file);
  const named = within.startsWith('..') ? file : within;
  return ok({ flow, request, input: { ...input.value, file: named } });
}

export async function startFlow(
  tutti: Tutti,
  flow: Flow,
  request: FlowRequest,
): Promise<Result<Started, Refusal>> {
  const prepared = await prepareFlow(tutti, flow, request);
  return prepared.ok ? startPrepared(tutti, prepared.value) : prepared;
}

export async function startPrepared(tutti: Tutti, prepared: PreparedFlow): Promise<Result<Started, Refusal>> {
  const { flow, request } = prepared;
  const { runId: asked } = request;
  const concurrency = request.maxParallel ?? flow.concurrency;
  const limits: BudgetLimits = { depth: tutti.config.maxDepth, ...flow.budget };
  const removed = await refuseRemovedId(tutti, asked);
  if (removed !== null) return err(removed);
  const runId = asked ?? (await freshRunId(tutti, flow.name));
  const [agent = null] = Object.keys(prepared.input.agents);
  const may = await mayStart(tutti, { runId, workflow: 'flow', noun: 'a flow', limits, agent });
  if (!may.ok) return may;
  if (may.value.known !== null) return amendFlow(tutti, runId, prepared, { limits, concurrency });
  const { depth, traceId, within } = may.value.origin;
  const input = plain(prepared.input);
  const run = { input, limits, concurrency, id: runId, workflow: 'flow', depth, traceId, within };
  const started = await tutti.store.start(run, leaseOn(tutti, request));
  // Another process started it since it was looked for.
  if (started === 'exists') return startPrepared(tutti, prepared);
  return ok({ runId, how: 'started', note: null });
}

/** Gives a known run its edited flow. A finished turn is not paid again because its agent was edited. */
async function amendFlow(
  tutti: Tutti,
  runId: string,
  { flow, request, input }: PreparedFlow,
  bounds: { readonly limits: BudgetLimits; readonly concurrency: number },
): Promise<Result<Started, Refusal>> {
  const { queries } = tutti;
  const known = recorded<FlowInput>(await queries.input(runId));
  const [before, after] = [stepsById(known.flow), stepsById(flow)];
  const edited = new Set([...after.keys()].filter((id) => before.get(id) !== after.get(id)));
  const { agents, note } = await keepAgents(queries, runId, {
    current: input.agents,
    known: known.agents,
    refresh: request.refresh === true,
  });
  const next = { ...bounds, input: plain({ ...input, agents }), edited };
  const changed = await amendRun(tutti, runId, request, next);
  return changed.ok ? ok({ runId, how: 'amended', note }) : changed;
}

/** Everything the run may depend on, taken now: agent files and configuration edited later do not reach it. */
async function flowInput(place: Place, flow: Flow): Promise<Result<FlowInput, Refusal>> {
  const { paths, config, env } = place;
  const { root } = paths;
  const git = flow.steps.find(({ gates }) => gates.some(({ kind }) => kind === 'diff'));
  if (git !== undefined && findProgram('git', env['PATH']) === null) {
    const message = `step '${git.id}' has a diff gate, which needs git, and git is not on PATH`;
    return err(refusal('UNAVAILABLE', message, 'install it, for example: apt-get install git'));
  }
  const inputDigests: Record<string, string> = {};
  for (const step of flow.steps) {
    const folder = join(root, step.cwd);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      return err(
        refusal(
          'USAGE',
          `step '${step.id}' works in ${folder}, which is not a directory`,
          `mkdir -p ${folder}`,
        ),
      );
    }
    const real = folderInProject(root, step.cwd);
    if (!real.ok) {
      const hint = `give a directory below ${root}: no link that leads out of it`;
      return err(refusal('USAGE', `the cwd of step '${step.id}' leaves the project: ${real.error}`, hint));
    }
    if (step.inputs.length > 0) inputDigests[step.id] = await digestFiles(real.value, step.inputs);
  }
  const names = flow.steps.flatMap(agentsOfStep);
  const agents = snapshotAgents(place, names, flow.budget);
  if (!agents.ok) return agents;
  const { sessionTimeoutMs } = config;
  return ok({ flow, projectDir: root, agents: agents.value, inputDigests, sessionTimeoutMs });
}

function stepsById({ steps }: Flow): ReadonlyMap<string, string> {
  return new Map(steps.map((step) => [step.id, canonical(plain(step))]));
}
