import { editTasks } from '../app/plans/edit-plan.ts';
import type { Refusal } from '../app/refusal.ts';
import { answerKnown, refuseAnswered } from '../app/runs/answer-question.ts';
import type { Tutti } from '../app/tutti.ts';
import { keepLooking } from '../lib/keep-looking.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { planOfRunId } from '../model/plan/task-row.ts';
import { chooseAnswer, firstAnswer, isApproval, isNumbered, type OpenQuestion } from '../model/question.ts';
import { typedWord } from './confirm.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { printLines } from './print.ts';
import { answerCommand, questionLines } from './render/question-lines.ts';
import { painter } from './render/style.ts';
import { showPlan } from './show-plan.ts';

type Decision = 'approve' | 'edit' | 'refuse' | 'later';

const lookEveryMs = 500;

/** Whether a person sits at the terminal who can be asked there. */
export function canAsk({ screen, input }: Pick<Context, 'screen' | 'input'>, json: boolean): boolean {
  return screen.isTerminal && input.isTerminal && !json;
}

/**
 * Asks the person at the terminal about the first open question of a run. `decided`: it has an answer, from here or from
 * elsewhere, and the run can continue. `later`: it stays in the inbox, and the person is told how to answer it. Null: there
 * is none.
 */
export async function askOpen(
  context: Context,
  tutti: Tutti,
  runId: string,
): Promise<Result<'decided' | 'later' | null, Refusal>> {
  const open = await tutti.queries.openQuestions(runId);
  const [question] = open;
  if (question === undefined) return ok(null);
  const gone = new AbortController();
  await using _looking = keepLooking(tutti.clock, lookEveryMs, async () => {
    if (!(await isOpen(tutti, question))) gone.abort();
  });
  const said = await askPerson(context, tutti, question, gone.signal);
  // What is typed after another answer is refused below; who types nothing goes on with that answer.
  if (said.ok && said.value === null && gone.signal.aborted) {
    const now = await tutti.queries.questionAt(question.runId, question.key);
    const how = (now === null ? null : firstAnswer(now)) ?? `${question.id} is no longer asked`;
    context.process.stderr.write(`${oneLine(how, 300)}\n`);
    return ok('decided');
  }
  if (!said.ok) return said;
  if (said.value === null) {
    sayWaiting(context, question, open.length);
    return ok('later');
  }
  const answered = await answerKnown(tutti, question, said.value);
  return answered.ok ? ok('decided') : answered;
}

async function isOpen({ queries }: Tutti, { runId, key }: OpenQuestion): Promise<boolean> {
  return (await queries.openQuestions(runId)).some((each) => each.key === key);
}

/** How to answer a question that stays open. */
export function sayWaiting({ process }: Context, open: OpenQuestion, count: number): void {
  const plan = planOfRunId(open.runId);
  const lines = isApproval(open)
    ? [
        `see it again: tutti plan show --plan ${plan}`,
        `then: tutti plan approve --plan ${plan} (or edit, or refuse)`,
      ]
    : [
        count === 1
          ? `${open.id} waits in the inbox; answer it: ${answerCommand(open)}`
          : `${count} questions wait: tutti inbox`,
        `or be asked here again: tutti resume ${open.runId}`,
      ];
  for (const line of lines) process.stderr.write(`  → ${line}\n`);
}

/** What the person at the terminal answers; null: later. `gone`: it was answered elsewhere meanwhile. */
async function askPerson(
  context: Context,
  tutti: Tutti,
  open: OpenQuestion,
  gone: AbortSignal,
): Promise<Result<string | null, Refusal>> {
  if (!isApproval(open)) return ok(await askAnything(context, tutti, open, gone));
  const shown = await showPlan(context, tutti, planOfRunId(open.runId));
  if (!shown.ok) return shown;
  for (let tried = 0; tried < tries; tried += 1) {
    const said = await askDecision(context, gone);
    if (said === 'later') return ok(null);
    // Tasks that were decided on meanwhile are not opened in an editor, and no reason is asked for.
    const late = said === 'approve' ? null : await refuseAnswered(tutti, open);
    if (late !== null) return err(late);
    if (said !== 'edit') return ok(said === 'refuse' ? await askReason(context, gone) : said);
    const edited = await editTasks(tutti, shown.value, []);
    if (edited.ok) return ok(said);
    // Without an editor, the other answers are still possible.
    fail(context, edited.error, false);
  }
  return ok(null);
}

/** Without a reason, planning again changes nothing. Null: Ctrl-C, which takes back the refusal that it follows. */
async function askReason({ process, input }: Context, gone: AbortSignal): Promise<string | null> {
  process.stderr.write('What should change? The task author gets your words (nothing: no reason): ');
  const typed = await input.line(gone);
  if (typed.at !== 'line') process.stderr.write('\n');
  if (typed.at === 'interrupted') {
    process.stderr.write('nothing is decided: the question stays open\n');
    return null;
  }
  if (typed.at === 'end' && gone.aborted) return null;
  const reason = typed.at === 'line' ? typed.text.trim() : '';
  return /^(?:n|no|none|nothing)?$/i.test(reason) ? 'refuse' : `refuse: ${reason}`;
}

const tries = 5;

/** A word that is none of these is asked for again, and not without end: silence is `later`. */
async function askDecision(context: Context, gone: AbortSignal): Promise<Decision> {
  const { process, input } = context;
  input.dropTypedAhead();
  for (let tried = 0; tried < tries; tried += 1) {
    process.stderr.write('Carry it out? [y]es, [e]dit the tasks first, [n]o, [l]ater: ');
    const word = (await typedWord(context, gone)).toLowerCase();
    if (/^(?:y|yes|approve)$/.test(word)) return 'approve';
    if (/^(?:e|edit)$/.test(word)) return 'edit';
    if (/^(?:n|no|refuse)$/.test(word)) return 'refuse';
    if (/^(?:l|later)?$/.test(word)) return 'later';
    process.stderr.write(`'${oneLine(word, 80)}' is not understood: answer yes, edit, no or later\n`);
  }
  return 'later';
}

/** Any other question of the run, with its options by number. */
async function askAnything(
  context: Context,
  tutti: Tutti,
  open: OpenQuestion,
  gone: AbortSignal,
): Promise<string | null> {
  const { screen, process, input } = context;
  const [columns, now] = [screen.columns(), tutti.clock.wall()];
  const lines = questionLines(open, { now, columns, paint: painter(screen.colour), withRun: false });
  // Without the command that answers: it is answered here.
  printLines(context, lines.slice(0, -1));
  input.dropTypedAhead();
  const numbered = isNumbered(open.question.options ?? []) ? ', or its number' : '';
  for (let tried = 0; tried < tries; tried += 1) {
    process.stderr.write(`Your answer${numbered} (nothing: later): `);
    const said = await typedWord(context, gone);
    if (said === '') return null;
    const chosen = chooseAnswer(open.question, said);
    if (chosen.ok) return chosen.value;
    process.stderr.write(`${chosen.error}\n`);
  }
  return null;
}
