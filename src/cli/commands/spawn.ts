import { prepareSpawn, type SpawnRequest } from '../../app/runs/prepare-spawn.ts';
import type { TextSource } from '../../app/runs/call-request.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { alsoContinues } from '../also-continues.ts';
import { type CallFlags, callFlags, readTexts, requestOf, runCall, textFlag } from '../compose-call.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { spawnAnswer, spawnAnswerLines } from '../render/spawn-answer.ts';
import { estimate } from './estimate.ts';

interface SpawnFlags extends CallFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly systemPrompt?: string;
}

export const command = defineCommand<SpawnFlags, [dash?: string]>({
  reads: false,
  parameters: {
    flags: {
      prompt: textFlag('Prompt for the agent', 'TEXT'),
      promptFile: textFlag('File with the prompt', 'FILE'),
      systemPrompt: textFlag('File with the system prompt; front matter as in an agent file', 'FILE'),
      ...callFlags,
      model: { ...callFlags.model, brief: 'Tier or model; default: medium' },
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

async function spawn(flags: SpawnFlags, context: Context, dash?: string): Promise<Outcome> {
  const texts = await textsOf(flags, context, dash);
  if (!texts.ok) return fail(context, texts.error, flags.json || flags.outputFormat === 'json');
  const request: SpawnRequest = {
    ...requestOf(flags, context, texts.value.context),
    prompt: texts.value.prompt,
    systemPrompt: flags.systemPrompt ?? null,
  };
  return runCall(flags, context, {
    layer: 'primitive',
    definition: null,
    prepare: (place) => prepareSpawn(place, request),
    answer: (tutti, { status, outcome }, json) => {
      const said = spawnAnswer(status, outcome);
      if (json) printJson<Output<'spawn'>>(context, { ...said, ...alsoContinues(tutti) });
      else printLines(context, spawnAnswerLines(said));
    },
    estimate: (place, { flow }) => estimate(flags, context, place, flow),
  });
}

/** The task and the texts beside it. */
async function textsOf(
  { prompt, promptFile, extraContext = [] }: SpawnFlags,
  context: Context,
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
  const sourceOf = await readTexts(extraContext, context, dash);
  if (!sourceOf.ok) return sourceOf;
  const task: TextSource =
    prompt === undefined ? sourceOf.value(promptFile ?? '-') : { name: '--prompt', text: prompt };
  return ok({ prompt: task, context: extraContext.map(sourceOf.value) });
}
