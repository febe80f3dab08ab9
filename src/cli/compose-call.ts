import type { CallRequest, PreparedCall, TextSource } from '../app/runs/call-request.ts';
import { type CallStarted, startCall } from '../app/runs/start-compose.ts';
import { warnOfDepth } from '../app/runs/spawn-depth.ts';
import { leaveToConductor } from '../app/runs/ensure-conductor.ts';
import type { NamedDefinition } from '../app/compose/definition-files.ts';
import { refusal, type Refusal } from '../app/refusal.ts';
import { renderer } from '../app/sessions/render-log.ts';
import { runStatus, type RunStatus } from '../app/status/run-status.ts';
import { locate, type Place, type Tutti } from '../app/tutti.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { AnyLayer } from '../model/compose/layer.ts';
import { outlinesByName } from '../model/outline.ts';
import type { Outcome } from '../model/outcome.ts';
import { tiers } from '../model/turn.ts';
import { admit } from './admit.ts';
import { advanceShown } from './advance.ts';
import { type CeilingFlags, ceilingsOf } from './ceilings.ts';
import type { Context } from './context.ts';
import { type JsonFlag, jsonFlag, switchFlag, trustFlag, type TrustFlag } from './define-command.ts';
import { fail } from './fail.ts';
import { duration, oneOf, wholeNumber } from './parsers.ts';
import { ceilingFlags, detachFlag, listFlag } from './plan-flags.ts';
import { withNewProject } from './project.ts';
import { endedHint } from './render/run-hint.ts';
import { jsonProgress, type SpawnProgress, textProgress } from './render/spawn-progress.ts';
import { sayFoundDriver } from './say-driver.ts';
import { watchLogs } from './watch-logs.ts';

/** Flags of every call of a layer. */
export interface CallFlags extends CeilingFlags, TrustFlag, JsonFlag {
  readonly model?: string;
  readonly driver?: string;
  readonly allowedTools?: string;
  readonly extraContext?: readonly string[];
  readonly cwd?: string;
  readonly timeout?: number;
  readonly maxDepth?: number;
  readonly currentDepth?: number;
  readonly outputFormat?: 'text' | 'json';
  readonly stream: boolean;
  readonly runId?: string;
  readonly detach: boolean;
  readonly estimate: boolean;
}

const formats = ['text', 'json'] as const;

export function textFlag<const HINT extends string>(brief: string, placeholder: HINT) {
  return { kind: 'parsed', parse: String, brief, placeholder, optional: true } as const;
}

export const callFlags = {
  model: {
    ...textFlag('Tier or model', 'TIER|ID'),
    proposeCompletions: (partial: string) => tiers.filter((tier) => tier.startsWith(partial)),
  },
  driver: textFlag('Driver to use; default: from tutti.yaml', 'NAME'),
  allowedTools: textFlag('Tools the agent may use, separated by commas', 'LIST'),
  extraContext: listFlag('File to add to the prompt, or - for standard input (repeatable)', 'FILE'),
  cwd: textFlag('Working directory, inside the project; default: the current one', 'DIR'),
  timeout: {
    kind: 'parsed',
    parse: duration,
    brief: 'Kill the agent after this time, such as 10m',
    placeholder: 'TIME',
    optional: true,
  },
  maxDepth: {
    kind: 'parsed',
    parse: wholeNumber(0, 100),
    brief: 'Start sessions at depth 1 to N only; default: max_depth',
    placeholder: 'N',
    optional: true,
  },
  currentDepth: {
    kind: 'parsed',
    parse: wholeNumber(0, 100),
    brief: 'Depth of the caller, if it is greater than the depth Tutti recorded',
    placeholder: 'D',
    optional: true,
  },
  outputFormat: {
    kind: 'parsed',
    parse: oneOf(formats),
    brief: 'KEY=value lines or JSON; default: text',
    placeholder: 'text|json',
    optional: true,
    proposeCompletions: (partial: string) => formats.filter((format) => format.startsWith(partial)),
  },
  stream: switchFlag("Print the agent's lines on standard error"),
  runId: textFlag('Name of the run; repeating a call in it returns the recorded result', 'ID'),
  detach: detachFlag,
  estimate: switchFlag('Print an estimate from earlier runs; start nothing'),
  ...ceilingFlags,
  trust: trustFlag,
  json: jsonFlag,
} as const;

/** How a layer is called and how it answers. */
export interface LayerCall<CALL extends PreparedCall> {
  readonly layer: AnyLayer;
  /** The definition that is called; null: the call describes its agent itself. */
  readonly definition: NamedDefinition | null;
  /** Checks the call against the project, and makes nothing. */
  prepare(place: Place): Promise<Result<CALL, Refusal>>;
  /** Prints the one answer on standard output. */
  answer(tutti: Tutti, ended: EndedCall<CALL>, json: boolean): void;
  /** Prints what the work may take. */
  estimate(place: Place, prepared: CALL): Promise<Outcome>;
}

/** How the run of a call is now. `DETACHED`: the conductor has it, and nothing is known of its end. */
interface EndedCall<CALL extends PreparedCall> {
  readonly status: RunStatus;
  readonly outcome: Outcome | 'DETACHED';
  readonly call: CALL;
}

/** Runs a call. Everything is checked before anything is made, so that a mistake leaves nothing behind. */
export async function runCall<CALL extends PreparedCall>(
  given: CallFlags,
  context: Context,
  call: LayerCall<CALL>,
): Promise<Outcome> {
  const json = given.json || given.outputFormat === 'json';
  const flags = { ...given, json };
  if (given.json && given.outputFormat === 'text') return fail(context, contradiction, json);
  const admitted = flags.estimate
    ? null
    : await admit(context, flags, {
        continues: flags.runId,
        definition: call.definition ?? undefined,
      });
  if (admitted?.ok === false) return fail(context, admitted.error, json);
  const { folder, env, caller } = context;
  const place = locate({ folder, env, caller });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const prepared = await call.prepare(place.value);
  if (!prepared.ok) return fail(context, prepared.error, json);
  if (flags.estimate) return call.estimate(place.value, prepared.value);
  return withNewProject(context, flags, async (tutti) => {
    const after = flags.runId === undefined ? 0 : await tutti.queries.lastSeq(flags.runId);
    const started = await startCall(tutti, prepared.value);
    if (!started.ok) return fail(context, started.error, json);
    const agents = Object.values(prepared.value.flow.agents);
    if (flags.driver === undefined && agents.some(({ driver }) => driver === tutti.config.driver))
      sayFoundDriver(context, flags, tutti.config);
    return advanceCall(context, tutti, {
      call,
      prepared: prepared.value,
      started: started.value,
      after,
      flags,
    });
  });
}

const contradiction = refusal(
  'USAGE',
  '--json and --output-format text contradict each other',
  'give one of the two',
);

interface StartedRun<CALL extends PreparedCall> {
  readonly call: LayerCall<CALL>;
  readonly prepared: CALL;
  readonly started: CallStarted;
  readonly after: number;
  readonly flags: CallFlags;
}

async function advanceCall<CALL extends PreparedCall>(
  context: Context,
  tutti: Tutti,
  run: StartedRun<CALL>,
): Promise<Outcome> {
  const { call, prepared, started, after, flags } = run;
  const { runId, depth } = started;
  const { json } = flags;
  const progress = await progressOf(context, tutti, run);
  const warning = warnOfDepth(depth);
  for (const sentence of [warning, started.note]) if (sentence !== null) progress.warn(sentence);
  const answer = async (outcome: Outcome | 'DETACHED'): Promise<RunStatus | null> => {
    const status = await runStatus(tutti, outlinesByName, runId);
    if (status !== null) call.answer(tutti, { status, outcome, call: prepared }, json);
    return status;
  };
  if (flags.detach) {
    const refused = await leaveToConductor(tutti, runId);
    if (refused !== null) return fail(context, refused, json);
    await answer('DETACHED');
    return 'SUCCESS';
  }
  const { end } = await advanceShown(context, tutti, { runId, after, stay: false }, () => ({
    view: progress.view,
    logs: flags.stream ? streamLogs(tutti, progress) : null,
    asks: false,
  }));
  if (end?.ok === false) return fail(context, end.error, json);
  const outcome = end?.value ?? 'INTERRUPTED';
  const status = await answer(outcome);
  if (outcome !== 'SUCCESS' && status !== null) fail(context, explain(status, outcome), json);
  return outcome;
}

async function progressOf(
  context: Context,
  tutti: Tutti,
  {
    call,
    started: { runId, depth },
    flags,
  }: Pick<StartedRun<never>, 'started' | 'flags'> & {
    readonly call: Pick<LayerCall<never>, 'layer'>;
  },
): Promise<SpawnProgress> {
  const run = await tutti.queries.run(runId);
  if (!flags.json || run === null) return textProgress(context);
  const { traceId, startedAt } = run;
  return jsonProgress(context, {
    runId,
    traceId,
    layer: call.layer,
    depth: depth.above + 1,
    startedAt,
    now: () => tutti.clock.wall(),
  });
}

/** What the agents say and do, as it is said. */
function streamLogs(tutti: Tutti, progress: SpawnProgress) {
  return watchLogs(tutti, ({ step, session }) => {
    const render = renderer();
    return {
      event: (event) => {
        for (const line of render(event)) progress.line(step, session, line);
      },
    };
  });
}

/** Why the answer is not a success, and what to do next. */
function explain(status: RunStatus, outcome: Exclude<Outcome, 'SUCCESS'>): Refusal {
  const { run, message } = status;
  const hint = endedHint(status, outcome) ?? `look at it: tutti report ${run.id}`;
  if (outcome === 'HUMAN_INPUT' && status.questions.length > 0)
    return refusal(outcome, `run ${run.id} waits for a person`, 'answer it: tutti inbox');
  const why = message === null ? '' : `: ${message}`;
  return refusal(outcome, `run ${run.id} ended with ${outcome}${why}`, hint);
}

/** The flags of a call as a request. `context`: texts beside the call, with standard input read already. */
export function requestOf(
  flags: CallFlags,
  { folder }: Context,
  context: readonly TextSource[],
): CallRequest {
  const { driver = null, model = null, cwd = null, runId = null, detach } = flags;
  const tools = flags.allowedTools?.split(/,(?![^(]*\))/).map((tool) => tool.trim());
  return {
    folder,
    context,
    driver,
    model,
    tools: tools?.filter((tool) => tool !== '') ?? null,
    cwd,
    timeoutMs: flags.timeout ?? null,
    maxDepth: flags.maxDepth ?? null,
    currentDepth: flags.currentDepth ?? null,
    runId,
    budget: ceilingsOf(flags),
    detach,
  };
}

/** Texts of files and of standard input, which is read once, for one of them. `dash`: the `-` that stands for a prompt, if one does. */
export async function readTexts(
  files: readonly string[],
  { input }: Context,
  dash: string | undefined,
): Promise<Result<(file: string) => TextSource, Refusal>> {
  const readers = [...(dash === undefined ? [] : [dash]), ...files.filter((file) => file === '-')];
  if (readers.length > 1)
    return err(refusal('USAGE', 'standard input can be read once', 'put one of the texts into a file'));
  const name = 'standard input';
  const text = readers.length === 0 ? '' : await input.text();
  return ok((file) => (file === '-' ? { name, text } : { file }));
}
