import { type OrchestratorRequest, prepareOrchestrator } from '../../app/runs/prepare-orchestrator.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { alsoContinues } from '../also-continues.ts';
import { type CallFlags, callFlags, readTexts, requestOf, runCall } from '../compose-call.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { orchestratorAnswer, orchestratorAnswerLines } from '../render/orchestrator-answer.ts';
import { estimate } from './estimate.ts';

export const command = defineCommand<CallFlags, [name: string, ...words: string[]]>({
  reads: false,
  parameters: {
    flags: {
      ...callFlags,
      model: { ...callFlags.model, brief: 'Tier or model of every stage; default: from the definitions' },
      timeout: { ...callFlags.timeout, brief: 'Kill each turn after this time; default: from its stage' },
    },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: String,
        brief: 'Name, modifier and arguments',
        placeholder: 'NAME',
        proposeCompletions,
      },
    },
  },
  usage: 'NAME [MODIFIER] [TARGET...]',
  arguments: [
    ['NAME', 'Name of an orchestrator: tutti compose list --layer orchestrator'],
    ['MODIFIER', 'One of its modifiers: tutti compose show NAME; default: full'],
    ['TARGET', 'Arguments that every stage gets after its own'],
  ],
  about:
    'Runs the stages of an orchestrator: each calls an executor as soon as the stages that it needs have\n' +
    'ended. Sequencing them uses no tokens. The answer is the stage manifest. Exit code 12 means that\n' +
    'only optional stages failed; a required stage that fails ends the orchestrator with its own code.',
  examples: [
    ['tutti orchestrator ospec docs/api.md', 'run all stages'],
    ['tutti orchestrator ospec lean docs/api.md --json', 'run fewer stages and print the manifest as JSON'],
    ['tutti orchestrator oresearch "note-taking apps" --detach', 'run in the background'],
  ],
  run: orchestrate,
});

async function proposeCompletions(this: Context, partial: string): Promise<readonly string[]> {
  const { definitionNames } = await import('../completions/ids.ts');
  return definitionNames(this, partial, 'orchestrator');
}

async function orchestrate(
  flags: CallFlags,
  context: Context,
  name: string,
  ...words: readonly string[]
): Promise<Outcome> {
  const { extraContext = [] } = flags;
  const sourceOf = await readTexts(extraContext, context, undefined);
  if (!sourceOf.ok) return fail(context, sourceOf.error, flags.json || flags.outputFormat === 'json');
  const texts = extraContext.map(sourceOf.value);
  const request: OrchestratorRequest = { ...requestOf(flags, context, texts), name, words };
  return runCall(flags, context, {
    layer: 'orchestrator',
    definition: { layer: 'orchestrator', name },
    prepare: (place) => prepareOrchestrator(place, request),
    answer: (tutti, { status, outcome, call }, json) => {
      const said = orchestratorAnswer(status, outcome, call.input);
      if (json) printJson<Output<'orchestrator-answer'>>(context, { ...said, ...alsoContinues(tutti) });
      else printLines(context, orchestratorAnswerLines(said));
    },
    estimate: (place, { flow }) => estimate(flags, context, place, flow),
  });
}
