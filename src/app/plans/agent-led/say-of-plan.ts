import { existsSync } from 'node:fs';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import { fallBack, type PlanRecord, type PlanVerdict } from '../../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import { withVerdict } from '../../../model/plan/plan-transitions.ts';
import { decidePlanChange } from '../../people/decide-plan-change.ts';
import { identifyCaller } from '../../people/identify-caller.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { originOf } from '../../sessions/origin.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { changePlan } from './change-and-show.ts';

type Verdict = Omit<PlanVerdict, 'tasks' | 'at'>;

/** What a verifier says of the tasks as they are now. BLOCKED takes a plan back that had gone on. */
export async function registerVerdict(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  verdict: Verdict,
): Promise<Result<PlanRecord, Refusal>> {
  const { within, requester } = await originOf(tutti);
  if (within !== null && [planRunId(plan.name), executeRunId(plan.name)].includes(within)) {
    const message = `${requester} works on plan ${plan.name} for Tutti, which reads verdicts from results alone`;
    return err(refusal('USAGE', message, 'put it into your result'));
  }
  const caller = identifyCaller(tutti.caller);
  const decided = await decidePlanChange(tutti, plan.name, 'register a verdict on the tasks');
  if (!decided.ok) return decided;
  const at = tutti.clock.wall();
  // Whatever name it goes by: an agent's verdict is no person's.
  const by = caller.kind === 'agent' ? caller.name : verdict.by;
  const changed = await changePlan(tutti, plan.name, 'continue: tutti plan advance', (record) => {
    if (!isAtLeast(record.phase, 'validation')) {
      return err(`the plan is in phase ${record.phase}, and a verdict belongs to validation`);
    }
    const said = withVerdict(record, { ...verdict, by, at });
    return said.ok && verdict.verdict === 'BLOCKED' ? ok(fallBack(said.value, 'validation')) : said;
  });
  // The verifier's own report tells more, where there is one.
  if (changed.ok && !existsSync(paths.report))
    replaceFile(paths.report, tutti.redactor.text(reportOf({ ...verdict, by })));
  return changed;
}

function reportOf({ verdict, summary, issues, by }: Verdict): string {
  const lines = ['# Task validation', '', `**Verdict:** ${verdict}, by ${by}`, '', summary, ''];
  return [
    ...lines,
    ...(issues.length === 0 ? [] : ['## Issues', '', ...issues.map((each) => `- ${each}`), '']),
  ].join('\n');
}
