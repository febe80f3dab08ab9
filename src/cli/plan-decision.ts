import type { FoundPlan } from '../app/plans/find-plan.ts';
import { openApproval } from '../app/plans/open-approval.ts';
import { planOutlook } from '../app/plans/outlook.ts';
import { requesterOf } from '../app/plans/state/requester.ts';
import { answerQuestion } from '../app/runs/answer-question.ts';
import type { Tutti } from '../app/tutti.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { printLines } from './print.ts';
import { outlookLines } from './render/plan-outlook.ts';
import { painter } from './render/style.ts';

export type Decision = 'approve' | 'edit' | 'refuse' | 'later';

/** Shows the plan and asks the person at the terminal, once. */
export async function askDecision(context: Context, tutti: Tutti, found: FoundPlan): Promise<Decision> {
  const outlook = planOutlook(tutti, found);
  if (!outlook.ok) {
    fail(context, outlook.error, false);
    return 'later';
  }
  const { screen, process, input } = context;
  printLines(context, ['', ...outlookLines(outlook.value, painter(screen.colour), screen.columns()), '']);
  process.stderr.write('Carry it out? [y]es, [e]dit the tasks first, [n]o, [l]ater: ');
  const said = ((await input.line()) ?? '').trim().toLowerCase();
  if (/^(?:y|yes|approve)$/.test(said)) return 'approve';
  if (/^(?:e|edit)$/.test(said)) return 'edit';
  return /^(?:n|no|refuse)$/.test(said) ? 'refuse' : 'later';
}

/** Tells the plan's run what was said, if it waits for that; false: it does not. */
export async function tellRun(
  tutti: Tutti,
  plan: string,
  said: Exclude<Decision, 'later'>,
  reason: string | null,
): Promise<boolean> {
  const asked = openApproval(tutti, plan);
  if (asked === null) return false;
  const text = reason === null ? said : `${said} ${reason}`;
  return (await answerQuestion(tutti, asked.id, text, requesterOf(tutti, undefined).by)).ok;
}
