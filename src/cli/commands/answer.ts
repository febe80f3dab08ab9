import { editsSinceAsked } from '../../app/plans/open-approval.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { type Answered, answerQuestion } from '../../app/runs/answer-question.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { conductorDistrust } from '../../app/consent/needed-trust.ts';
import { questionNumber } from '../../model/question.ts';
import { questionArgument } from '../arguments.ts';
import { alsoContinues } from '../also-continues.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';

export const command = defineCommand<JsonFlag, [question: string, text?: string]>({
  reads: false,
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        questionArgument,
        {
          parse: String,
          brief: 'The answer or the number of an option; - reads standard input',
          placeholder: 'TEXT',
          optional: true,
        },
      ],
    },
  },
  about:
    "The first answer wins. If no process is advancing the run, Tutti starts the project's conductor, a\n" +
    'background process that continues it.',
  examples: [
    ['tutti answer Q7 yes', 'answer with text'],
    ['tutti answer Q7 2', 'choose the second option'],
    ['tutti answer Q7 - < decision.md', 'read the answer from a file'],
  ],
  run: answer,
});

function answer(flags: JsonFlag, context: Context, question: string, text?: string): Promise<Outcome> {
  return withProject(context, { ...flags, detach: true }, async (tutti) => {
    const given = await textOf(context, question, text);
    if (!given.ok) return fail(context, given.error, flags.json);
    const edits = await editsSinceAsked(tutti, question);
    const answered = await answerQuestion(tutti, question, given.value, conductorDistrust(context));
    if (!answered.ok) return fail(context, answered.error, flags.json);
    const { runId, key, next, text: chosen } = answered.value;
    if (flags.json) printJson(context, { run_id: runId, key, answer: chosen, next, ...alsoContinues(tutti) });
    else
      printLines(context, [
        `answered ${question} with '${oneLine(chosen, 300)}': ${sentenceOf(answered.value)}`,
        ...(edits !== null && /^approve\b/.test(chosen) ? [notApprovedYet(edits)] : []),
      ]);
    return 'SUCCESS';
  });
}

/** The person has seen other tasks than those of the question, or none of the edited ones. */
function notApprovedYet(edits: string): string {
  return `  the task files were edited after it was asked (${oneLine(edits, 300)}): they are verified and asked about again, and not approved yet`;
}

function sentenceOf({ runId, next, rest }: Answered): string {
  if (rest !== null) return `${rest.why} and continues with it after: ${rest.command}`;
  if (next === 'session') return 'the session continues with it';
  return next === 'held'
    ? `run ${runId} continues with it`
    : `run ${runId} continues in the background (tutti status ${runId})`;
}

async function textOf(
  { input }: Context,
  question: string,
  text: string | undefined,
): Promise<Result<string, Refusal>> {
  // A bare number is a question too, not the option of one.
  const number = questionNumber(question);
  const name = number === null ? question : `Q${number}`;
  const hint = `give it: tutti answer ${shellWord(name)} TEXT (tutti inbox shows what is asked)`;
  const missing = refusal('USAGE', `the answer to ${oneLine(name, 80)} is missing`, hint);
  if (text === undefined && input.isTerminal) return err(missing);
  const given = (text === undefined || text === '-' ? await input.text() : text).trim();
  if (given !== '') return ok(given);
  return err(missing);
}
