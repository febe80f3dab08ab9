import { plain } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import type { CheckedArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Approval } from '../../model/plan/plan-record.ts';
import type { Judged } from '../../model/plan/planning-operations.ts';
import { planOperation } from './plan-operation.ts';

export type Approved =
  | { readonly at: 'approved' }
  | { readonly at: 'refused'; readonly by: string; readonly reason: string }
  /** The person has edited files: they must be looked at again. */
  | { readonly at: 'edited'; readonly after: string };

/** A person's word on exactly these tasks. Who approved them once is not asked again. */
export async function approval(
  ctx: Ctx,
  input: PlanInput,
  tasks: CheckedArtifact,
  verdict: Judged,
  times: number,
): Promise<Approved> {
  const id = times === 0 ? 'approval' : `approval/again-${times}`;
  const about = { tasks: tasks.digest };
  const standing = await planOperation(
    ctx,
    input,
    keyOf(`${id}/standing`, { ...about, round: input.round }),
    'plan-approval-standing',
    { plan: input.plan, ...about },
  );
  if (standing?.said === 'approved') return { at: 'approved' };
  if (input.approvedBy !== null) {
    const at = await ctx.now(keyOf(`${id}/now`, about));
    return record(ctx, input, id, about.tasks, {
      said: 'approved',
      reason: 'in advance',
      by: input.approvedBy,
      at,
    });
  }
  const key = keyOf(id, about);
  const { text, by, at } = await ctx.ask(key, {
    text: questionText(input, tasks),
    options: ['approve', 'edit', 'refuse'],
    closed: { withReason: ['approve', 'refuse'] },
    evidence: plain({ verdict: verdict.verdict, summary: verdict.summary, issues: verdict.issues }),
    step: 'approval',
  });
  const [word = '', ...rest] = text.trim().split(/[\s:]+/);
  const reason = rest.join(' ');
  if (/^(?:approved?|y|yes|ok)$/i.test(word)) {
    return record(ctx, input, id, about.tasks, {
      said: 'approved',
      reason: reason === '' ? null : reason,
      by,
      at,
    });
  }
  if (/^edit(?:ed)?$/i.test(word)) return { at: 'edited', after: key };
  const why = /^(?:refused?|n|no)$/i.test(word) ? reason : text.trim();
  return record(ctx, input, id, about.tasks, { said: 'refused', reason: why === '' ? null : why, by, at });
}

function questionText({ plan }: PlanInput, { tasks }: CheckedArtifact): string {
  const size = `${tasks?.total ?? 0} tasks in ${tasks?.phases ?? 0} phases`;
  return `Shall plan ${plan} be executed as it is (${size})? See its files and the commands that judge it: tutti plan show --plan ${plan}`;
}

async function record(
  ctx: Ctx,
  input: PlanInput,
  id: string,
  tasks: string,
  approved: Omit<Approval, 'tasks'>,
): Promise<Approved> {
  const key = keyOf(`${id}/record`, plain({ tasks, approved, round: input.round }));
  await planOperation(ctx, input, key, 'plan-approval-record', { plan: input.plan, ...approved, tasks });
  if (approved.said === 'approved') return { at: 'approved' };
  return { at: 'refused', by: approved.by, reason: approved.reason ?? '' };
}
