import { editTasks } from '../app/plans/edit-plan.ts';
import { findPlan, type FoundPlan } from '../app/plans/find-plan.ts';
import { planOutlook } from '../app/plans/outlook.ts';
import type { Refusal } from '../app/refusal.ts';
import { refuseAnswered } from '../app/runs/answer-question.ts';
import type { Tutti } from '../app/tutti.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { chooseAnswer, isApproval, type OpenQuestion } from '../model/question.ts';
import { typedWord } from './confirm.ts';
import type { Context } from './context.ts';
import { printLines } from './print.ts';
import { questionLines } from './render/question-lines.ts';
import { outlookLines } from './render/plan-outlook.ts';
import { painter } from './render/style.ts';

type Decision = 'approve' | 'edit' | 'refuse' | 'later';

/** What the person at the terminal answers; null: later. */
export async function askPerson(
  context: Context,
  tutti: Tutti,
  plan: string,
  open: OpenQuestion,
): Promise<Result<string | null, Refusal>> {
  if (!isApproval(open)) return ok(await askAnything(context, tutti, open));
  const shown = await showPlan(context, tutti, plan);
  if (!shown.ok) return shown;
  const said = await askDecision(context);
  if (said === 'later') return ok(null);
  // Tasks that were decided on meanwhile are not opened in an editor.
  const late = said === 'edit' ? await refuseAnswered(tutti, open) : null;
  if (late !== null) return err(late);
  const edited = said === 'edit' ? await editTasks(tutti, shown.value, []) : ok(null);
  if (!edited.ok) return edited;
  return ok(said === 'refuse' ? await askReason(context) : said);
}

/** Without a reason, planning again changes nothing. Null: Ctrl-C, which takes back the refusal that it follows. */
async function askReason({ process, input }: Context): Promise<string | null> {
  process.stderr.write('What should change? The task author gets your words (nothing: no reason): ');
  const typed = await input.line();
  if (typed.at !== 'line') process.stderr.write('\n');
  if (typed.at === 'interrupted') {
    process.stderr.write('nothing is decided: the question stays open\n');
    return null;
  }
  const reason = typed.at === 'line' ? typed.text.trim() : '';
  return /^(?:n|no|none|nothing)?$/i.test(reason) ? 'refuse' : `refuse: ${reason}`;
}

/** What a person agrees to, in full. */
export async function showPlan(
  context: Context,
  tutti: Tutti,
  plan: string,
): Promise<Result<FoundPlan, Refusal>> {
  const found = await findPlan(tutti, plan);
  if (!found.ok) return found;
  const outlook = await planOutlook(tutti, found.value);
  if (!outlook.ok) return outlook;
  const { screen } = context;
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  printLines(context, ['', ...outlookLines(outlook.value, painter(screen.colour), columns), '']);
  return found;
}

const tries = 5;

/** A word that is none of these is asked for again, and not without end: silence is `later`. */
async function askDecision(context: Context): Promise<Decision> {
  const { process } = context;
  for (let tried = 0; tried < tries; tried += 1) {
    process.stderr.write('Carry it out? [y]es, [e]dit the tasks first, [n]o, [l]ater: ');
    const word = (await typedWord(context)).toLowerCase();
    if (/^(?:y|yes|approve)$/.test(word)) return 'approve';
    if (/^(?:e|edit)$/.test(word)) return 'edit';
    if (/^(?:n|no|refuse)$/.test(word)) return 'refuse';
    if (/^(?:l|later)?$/.test(word)) return 'later';
    process.stderr.write(`'${oneLine(word, 80)}' is not understood: answer yes, edit, no or later\n`);
  }
  return 'later';
}

/** Any other question of the run, with its options by number. */
async function askAnything(context: Context, tutti: Tutti, open: OpenQuestion): Promise<string | null> {
  const { screen, process } = context;
  const [columns, now] = [screen.columns(), tutti.clock.wall()];
  const lines = questionLines(open, { now, columns, paint: painter(screen.colour), withRun: false });
  // Without the command that answers: it is answered here.
  printLines(context, lines.slice(0, -1));
  for (let tried = 0; tried < tries; tried += 1) {
    process.stderr.write('Your answer, or its number (nothing: later): ');
    const said = await typedWord(context);
    if (said === '') return null;
    const chosen = chooseAnswer(open.question, said);
    if (chosen.ok) return chosen.value;
    process.stderr.write(`${chosen.error}\n`);
  }
  return null;
}
