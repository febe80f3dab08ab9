import { counted } from '../../lib/counted.ts';
import { plain } from '../../lib/json.ts';
import { approveDocument, type Approved } from '../../kernel/approval.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import type { CheckedArtifact, PlanCheck } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Judged } from '../../model/plan/planning-operations.ts';
import { planOperation } from './plan-operation.ts';

interface TasksToApprove {
  readonly tasks: CheckedArtifact;
  readonly verdict: Judged;
  /** How often exactly these were shown before. */
  readonly times: number;
  /** The task files as they are when it is called. */
  readonly look: (key: string) => Promise<PlanCheck>;
}

/** A person's word on exactly these tasks. */
export function approveTasks(
  ctx: Ctx,
  input: PlanInput,
  { tasks: checked, verdict, times, look }: TasksToApprove,
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
      evidence: plain({ verdict: verdict.verdict, summary: verdict.summary, issues: verdict.issues, tasks }),
      step: 'approval',
    },
    standing: (key) => planOperation(ctx, input, key, 'plan-approval-standing', { plan, tasks }),
    isStill: async (key) => {
      const now = await look(key);
      return now.at === 'valid' && now.digest === tasks;
    },
    record: (key, said) => planOperation(ctx, input, key, 'plan-approval-record', { plan, ...said, tasks }),
  });
}

function questionText({ plan }: PlanInput, { tasks }: CheckedArtifact): string {
  const size = `${counted(tasks?.total ?? 0, 'task')} in ${counted(tasks?.phases ?? 0, 'phase')}`;
  return `Approve plan ${plan} (${size})? Review its files and acceptance commands: tutti plan show --plan ${plan}`;
}
