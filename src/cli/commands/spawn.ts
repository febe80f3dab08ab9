import {
  prepareSpawn,
  spawnAsFlow,
  type SpawnRequest,
  startSpawn,
  type TextSource,
} from '../../app/runs/start-compose.ts';
import { type AdmittedDepth, warnOfDepth } from '../../app/runs/spawn-depth.ts';
import { leaveToConductor } from '../../app/runs/ensure-conductor.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { renderer } from '../../app/sessions/render-log.ts';
import { runStatus, type RunStatus } from '../../app/status/run-status.ts';
import { locate, type Tutti } from '../../app/tutti.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { outlinesByName } from '../../model/outline.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { tiers } from '../../model/turn.ts';
import { admit } from '../admit.ts';
import { advanceShown } from '../advance.ts';
import { alsoContinues } from '../also-continues.ts';
import { type CeilingFlags, ceilingsOf } from '../ceilings.ts';
import type { Context } from '../context.ts';
import {
  defineCommand,
  type JsonFlag,
  jsonFlag,
  switchFlag,
  trustFlag,
  type TrustFlag,
} from '../define-command.ts';
import { fail } from '../fail.ts';
import { duration, oneOf, wholeNumber } from '../parsers.ts';
import { ceilingFlags, detachFlag, listFlag } from '../plan-flags.ts';
import { printJson, printLines } from '../print.ts';
import { withNewProject } from '../project.ts';
import { endedHint } from '../render/run-hint.ts';
import { spawnAnswer, spawnAnswerLines } from '../render/spawn-answer.ts';
import { jsonProgress, type SpawnProgress, textProgress } from '../render/spawn-progress.ts';
import { sayFoundDriver } from '../say-driver.ts';
import { watchLogs } from '../watch-logs.ts';
import { estimate } from './estimate.ts';

interface SpawnFlags extends CeilingFlags, TrustFlag, JsonFlag {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly systemPrompt?: string;
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

function textFlag<const HINT extends string>(brief: string, placeholder: HINT) {
  return { kind: 'parsed', parse: String, brief, placeholder, optional: true } as const;
}

export const command = defineCommand<SpawnFlags, [dash?: string]>({
  reads: false,
  parameters: {
    flags: {
      prompt: textFlag('Prompt for the agent', 'TEXT'),
      promptFile: textFlag('File with the prompt', 'FILE'),
      systemPrompt: textFlag('File with the system prompt; front matter as in an agent file', 'FILE'),
      model: {
        ...textFlag('Tier or model; default: medium', 'TIER|ID'),
        proposeCompletions: (partial) => tiers.filter((tier) => tier.startsWith(partial)),
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
        proposeCompletions: (partial) => formats.filter((format) => format.startsWith(partial)),
      },
      stream: switchFlag("Print the agent's lines on standard error"),
      runId: textFlag('Name of the run; repeating a call in it returns the recorded result', 'ID'),
      detach: detachFlag,
      estimate: switchFlag('Print an estimate from earlier runs; start nothing'),
      ...ceilingFlags,
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: '- reads the prompt from standard input', placeholder: '-', optional: true },
      ],
    },
  },
  about:
    'Waits for the agent and never retries it. The exit code is the outcome of the turn; 2 means that\n' +
    'the depth limit was reached and no agent was started. Progress goes to standard error.',
  examples: [
    ['tutti spawn --prompt "Summarize docs/" --model low', 'run one agent and wait for it'],
    ['tutti spawn --prompt-file task.md --system-prompt role.md --json', 'print JSON, for programs'],
    ['git diff | tutti spawn --prompt "Review this" --extra-context -', 'add text from standard input'],
    ['tutti spawn --prompt-file task.md --max-depth 2 --stream', 'limit nesting and watch the agent'],
  ],
  run: spawn,
});

/** Everything is checked before anything is made, so that a mistake leaves nothing behind. */
async function spawn(given: SpawnFlags, context: Context, dash?: string): Promise<Outcome> {
  const json = given.json || given.outputFormat === 'json';
  const flags = { ...given, json };
  const request =
    given.json && given.outputFormat === 'text' ? err(contradiction) : await requestOf(flags, context, dash);
  if (!request.ok) return fail(context, request.error, json);
  const admitted = flags.estimate ? null : await admit(context, flags, { continues: flags.runId });
  if (admitted?.ok === false) return fail(context, admitted.error, json);
  const { folder, env, caller } = context;
  const place = locate({ folder, env, caller });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const prepared = await prepareSpawn(place.value, request.value);
  if (!prepared.ok) return fail(context, prepared.error, json);
  const { input } = prepared.value;
  if (flags.estimate) return estimate(flags, context, place.value, spawnAsFlow(input));
  return withNewProject(context, flags, async (tutti) => {
    const after = flags.runId === undefined ? 0 : await tutti.queries.lastSeq(flags.runId);
    const started = await startSpawn(tutti, prepared.value);
    if (!started.ok) return fail(context, started.error, json);
    if (flags.driver === undefined && input.agent.driver === tutti.config.driver)
      sayFoundDriver(context, flags, tutti.config);
    const { runId, depth } = started.value;
    return advanceSpawn(context, tutti, { runId, after, depth, flags });
  });
}

const contradiction = refusal(
  'USAGE',
  '--json and --output-format text contradict each other',
  'give one of the two',
);

interface SpawnRun {
  readonly runId: string;
  readonly after: number;
  readonly depth: AdmittedDepth;
  readonly flags: SpawnFlags;
}

async function advanceSpawn(context: Context, tutti: Tutti, spawned: SpawnRun): Promise<Outcome> {
  const { runId, after, flags } = spawned;
  const { json } = flags;
  const progress = await progressOf(context, tutti, spawned);
  const warning = warnOfDepth(spawned.depth);
  if (warning !== null) progress.warn(warning);
  if (flags.detach) {
    const refused = await leaveToConductor(tutti, runId);
    if (refused !== null) return fail(context, refused, json);
    await answer(context, tutti, runId, 'DETACHED', json);
    return 'SUCCESS';
  }
  const { end } = await advanceShown(context, tutti, { runId, after, stay: false }, () => ({
    view: progress.view,
    logs: flags.stream ? streamLogs(tutti, progress) : null,
    asks: false,
  }));
  if (end?.ok === false) return fail(context, end.error, json);
  const outcome = end?.value ?? 'INTERRUPTED';
  const status = await answer(context, tutti, runId, outcome, json);
  if (outcome !== 'SUCCESS' && status !== null) fail(context, explain(status, outcome), json);
  return outcome;
}

async function progressOf(
  context: Context,
  tutti: Tutti,
  { runId, depth, flags }: SpawnRun,
): Promise<SpawnProgress> {
  const run = await tutti.queries.run(runId);
  if (!flags.json || run === null) return textProgress(context);
  const { traceId, startedAt } = run;
  return jsonProgress(context, {
    runId,
    traceId,
    depth: depth.above + 1,
    startedAt,
    now: () => tutti.clock.wall(),
  });
}

/** What the agent says and does, as it is said. */
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

async function answer(
  context: Context,
  tutti: Tutti,
  runId: string,
  outcome: Outcome | 'DETACHED',
  json: boolean,
): Promise<RunStatus | null> {
  const status = await runStatus(tutti, outlinesByName, runId);
  if (status === null) return null;
  const said = spawnAnswer(status, outcome);
  if (json) printJson<Output<'spawn'>>(context, { ...said, ...alsoContinues(tutti) });
  else printLines(context, spawnAnswerLines(said));
  return status;
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

async function requestOf(
  flags: SpawnFlags,
  context: Context,
  dash: string | undefined,
): Promise<Result<SpawnRequest, Refusal>> {
  const texts = await textsOf(flags, context, dash);
  if (!texts.ok) return texts;
  const { systemPrompt = null, driver = null, model = null, cwd = null, runId = null, detach } = flags;
  const tools = flags.allowedTools?.split(/,(?![^(]*\))/).map((tool) => tool.trim());
  return ok({
    folder: context.folder,
    ...texts.value,
    systemPrompt,
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
  });
}

/** The task and the texts beside it. Standard input is read once, for one of them. */
async function textsOf(
  { prompt, promptFile, extraContext = [] }: SpawnFlags,
  { input }: Context,
  dash: string | undefined,
): Promise<Result<Pick<SpawnRequest, 'prompt' | 'context'>, Refusal>> {
  if (dash !== undefined && dash !== '-') {
    const message = `'${dash.slice(0, 80)}' is not an argument of spawn`;
    return err(
      refusal(
        'USAGE',
        message,
        'give the prompt with --prompt TEXT, --prompt-file FILE, or - for standard input',
      ),
    );
  }
  const given = [prompt, promptFile, dash].filter((source) => source !== undefined);
  if (given.length !== 1) {
    const message = given.length === 0 ? 'there is no prompt' : 'the prompt is given more than once';
    return err(
      refusal('USAGE', message, 'give one of --prompt TEXT, --prompt-file FILE, or - for standard input'),
    );
  }
  const readers = [...(dash === undefined ? [] : [dash]), ...extraContext.filter((file) => file === '-')];
  if (readers.length > 1)
    return err(refusal('USAGE', 'standard input can be read once', 'put one of the texts into a file'));
  const name = 'standard input';
  const text = readers.length === 0 ? '' : await input.text();
  const sourceOf = (file: string): TextSource => (file === '-' ? { name, text } : { file });
  const task: TextSource =
    prompt === undefined ? sourceOf(promptFile ?? '-') : { name: '--prompt', text: prompt };
  return ok({ prompt: task, context: extraContext.map(sourceOf) });
}
