import { type ExecutorRequest, prepareExecutor } from '../../app/runs/prepare-executor.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { alsoContinues } from '../also-continues.ts';
import { type CallFlags, callFlags, readTexts, requestOf, runCall } from '../compose-call.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { executorAnswer, executorAnswerLines } from '../render/spawn-answer.ts';
import { estimate } from './estimate.ts';

export const command = defineCommand<CallFlags, [name: string, ...words: string[]]>({
  reads: false,
  parameters: {
    flags: {
      ...callFlags,
      model: { ...callFlags.model, brief: 'Tier or model; default: from the definition' },
      timeout: {
        ...callFlags.timeout,
        brief: 'Kill each turn after this time; default: from the definition',
      },
    },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: String,
        brief: 'Name, action and arguments',
        placeholder: 'NAME',
        proposeCompletions,
      },
    },
  },
  usage: 'NAME ACTION [TARGET...]',
  arguments: [
    ['NAME', 'Name of an executor: tutti compose list --layer executor'],
    ['ACTION', 'One of its actions: tutti compose show NAME'],
    ['TARGET', 'Arguments of the action'],
  ],
  about:
    'Runs one agent until its work is accepted: it gives an account, changes no file outside its scope,\n' +
    'leaves something that can be checked, and passes the gates of the action. The agent may correct\n' +
    'refused work twice. Then its files are put back, the work is kept under a ref, and a refinement\n' +
    'request says what is missing. Exit code 10 or 11 means that the caller has to decide.',
  examples: [
    ['tutti executor spec PLAN docs/api.md', 'plan a specification'],
    ['tutti executor spec IMPLEMENT docs/api.md --extra-context plan.md', 'add a text to the prompt'],
    ['tutti executor researcher market "note-taking apps" --json', 'print JSON, for programs'],
    ['tutti executor spec TEST docs/api.md --max-depth 1 --stream', 'limit nesting and watch the agent'],
  ],
  run: execute,
});

async function proposeCompletions(this: Context, partial: string): Promise<readonly string[]> {
  const { definitionNames } = await import('../completions/ids.ts');
  return definitionNames(this, partial, 'executor');
}

async function execute(
  flags: CallFlags,
  context: Context,
  name: string,
  ...words: readonly string[]
): Promise<Outcome> {
  const { extraContext = [] } = flags;
  const sourceOf = await readTexts(extraContext, context, undefined);
  if (!sourceOf.ok) return fail(context, sourceOf.error, flags.json || flags.outputFormat === 'json');
  const texts = extraContext.map(sourceOf.value);
  const request: ExecutorRequest = { ...requestOf(flags, context, texts), name, words };
  return runCall(flags, context, {
    layer: 'executor',
    definition: { layer: 'executor', name },
    prepare: (place) => prepareExecutor(place, request),
    answer: (tutti, { status, outcome }, json) => {
      const said = executorAnswer(status, outcome);
      if (json) printJson<Output<'executor-answer'>>(context, { ...said, ...alsoContinues(tutti) });
      else printLines(context, executorAnswerLines(said));
    },
    estimate: (place, { flow }) => estimate(flags, context, place, flow),
  });
}
