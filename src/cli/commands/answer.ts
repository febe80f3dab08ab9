import { oneLine } from '../../lib/terminal-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Outcome } from '../../model/outcome.ts';
import { answerQuestion, type Answered } from '../../app/runs/answer-question.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';

export function answer(flags: JsonFlag, context: Context, question: string, text?: string): Promise<Outcome> {
  return withProject(context, { ...flags, detach: true }, async (tutti) => {
    const given = await textOf(context, text);
    if (!given.ok) return fail(context, given.error, flags.json);
    const answered = await answerQuestion(tutti, question, given.value);
    if (!answered.ok) return fail(context, answered.error, flags.json);
    const { runId, key, next, text: chosen } = answered.value;
    if (flags.json) printJson(context, { run_id: runId, key, answer: chosen, next });
    else
      printLines(context, [
        `answered ${question} with '${oneLine(chosen, 60)}': ${sentenceOf(answered.value)}`,
      ]);
    return 'SUCCESS';
  });
}

function sentenceOf({ runId, next, rest }: Answered): string {
  if (rest !== null) return `${rest.why} and continues with it after: ${rest.command}`;
  if (next === 'session') return 'the session continues with it';
  return next === 'driven'
    ? `run ${runId} continues with it`
    : `run ${runId} continues in the background (tutti status ${runId})`;
}

async function textOf({ input }: Context, text: string | undefined): Promise<Result<string, Refusal>> {
  if (text === undefined && input.isTerminal) {
    return err(refusal('USAGE', 'TEXT is missing', 'see what is asked: tutti inbox'));
  }
  const given = (text === undefined || text === '-' ? await input.text() : text).trim();
  if (given !== '') return ok(given);
  return err(refusal('USAGE', 'an answer cannot be empty', 'see what is asked: tutti inbox'));
}
