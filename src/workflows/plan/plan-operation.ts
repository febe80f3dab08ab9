import type { Ctx } from '../../kernel/ctx.ts';
import type { OperationArgs, OperationResult } from '../../model/operations.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { PlanningOperations } from '../../model/plan/planning-operations.ts';

/** Everything that planning has done on a host is bound to the plan's folder. */
export function planOperation<Name extends keyof PlanningOperations>(
  ctx: Ctx,
  { planDir }: PlanInput,
  key: string,
  name: Name,
  args: OperationArgs<Name>,
): Promise<OperationResult<Name>> {
  return ctx.operation(key, name, args, { workspace: planDir });
}
