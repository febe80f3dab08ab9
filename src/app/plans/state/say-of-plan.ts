import { existsSync } from 'node:fs';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import { fallBack, type PlanRecord, type PlanVerdict } from '../../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import { withVerdict } from '../../../model/plan/plan-transitions.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { originOf } from '../../sessions/origin.ts';
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
  const { within, requester } = originOf(tutti);
  if (within !== null && [planRunId(plan.name), executeRunId(plan.name)].includes(within)) {
    const message = `${requester} works on plan ${plan.name} for Tutti, which reads verdicts from results alone`;
    return err(refusal('USAGE', message, 'put it into your result'));
  }
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
