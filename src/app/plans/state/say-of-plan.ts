import { existsSync } from 'node:fs';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import {
  type Approval,
  fallBack,
  type PlanRecord,
  type PlanVerdict,
} from '../../../model/plan/plan-record.ts';
import { withApproval, withVerdict } from '../../../model/plan/plan-transitions.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { changePlan } from './changed.ts';

type Verdict = Omit<PlanVerdict, 'tasks' | 'at'>;

/** What a verifier says of the tasks as they are now. BLOCKED takes a plan back that had gone on. */
export async function registerVerdict(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  verdict: Verdict,
): Promise<Result<PlanRecord, Refusal>> {
  const at = tutti.clock.wall();
  const changed = await changePlan(tutti, plan.name, 'go on to it: tutti plan advance', (record) => {
    if (!isAtLeast(record.phase, 'validation')) {
      return err(`the plan is in phase ${record.phase}, and a verdict belongs to validation`);
    }
    const said = withVerdict(record, { ...verdict, at });
    return said.ok && verdict.verdict === 'BLOCKED' ? ok(fallBack(said.value, 'validation')) : said;
  });
  // The verifier's own report tells more, where there is one.
  if (changed.ok && !existsSync(paths.report))
    replaceFile(paths.report, tutti.redactor.text(reportOf(verdict)));
  return changed;
}

function reportOf({ verdict, summary, issues, by }: Verdict): string {
  const lines = ['# Task validation', '', `**Verdict:** ${verdict}, by ${by}`, '', summary, ''];
  return [
    ...lines,
    ...(issues.length === 0 ? [] : ['## Issues', '', ...issues.map((each) => `- ${each}`), '']),
  ].join('\n');
}

/** What a person says of the plan, for the tasks as they are now. */
export function decidePlan(
  tutti: Tutti,
  { plan }: FoundPlan,
  approval: Omit<Approval, 'tasks' | 'at'>,
): Promise<Result<PlanRecord, Refusal>> {
  const at = tutti.clock.wall();
  return changePlan(tutti, plan.name, 'see what it waits for: tutti plan status', (record) =>
    withApproval(record, { ...approval, at }),
  );
}
