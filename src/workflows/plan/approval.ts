import { plain } from '../../lib/json.ts';
import { approveDocument, type Approved } from '../../kernel/approval.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import type { CheckedArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Judged } from '../../model/plan/planning-operations.ts';
import { planOperation } from './plan-operation.ts';

/** A person's word on exactly these tasks. */
export function approveTasks(
  ctx: Ctx,
  input: PlanInput,
  checked: CheckedArtifact,
  verdict: Judged,
  times: number,
): Promise<Approved> {
  const { plan, round, approvedBy } = input;
  const tasks = checked.digest;
  return approveDocument(ctx, {
    id: times === 0 ? 'approval' : `approval/again-${times}`,
    about: { tasks },
    round,
    inAdvance: approvedBy,
    question: {
      text: questionText(input, checked),
      options: ['approve', 'edit', 'refuse'],
      closed: { withReason: ['approve', 'refuse'] },
      evidence: plain({ verdict: verdict.verdict, summary: verdict.summary, issues: verdict.issues }),
      step: 'approval',
    },
    standing: (key) => planOperation(ctx, input, key, 'plan-approval-standing', { plan, tasks }),
    record: (key, said) => planOperation(ctx, input, key, 'plan-approval-record', { plan, ...said, tasks }),
  });
}

function questionText({ plan }: PlanInput, { tasks }: CheckedArtifact): string {
  const size = `${tasks?.total ?? 0} tasks in ${tasks?.phases ?? 0} phases`;
  return `Shall plan ${plan} be executed as it is (${size})? See its files and the commands that judge it: tutti plan show --plan ${plan}`;
}
