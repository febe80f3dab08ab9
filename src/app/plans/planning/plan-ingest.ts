import { changePlan } from '../../plan-record/change-plan.ts';
import { contentAddress } from '../../../lib/digest.ts';
import { ok } from '../../../lib/result.ts';
import type { OperationResult } from '../../../model/operations.ts';
import { advance } from '../../../model/plan/plan-record.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { readSpec } from '../../plan-files/load-plan.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { log } from './plan-log.ts';

type Ingested = OperationEnd<OperationResult<'plan-ingest'>>;

/** The specification must be the one that was stored: everything that follows is made from it. */
export async function planIngest({
  parts,
  args: { plan, checksum },
}: OperationCall<'plan-ingest'>): Promise<Ingested> {
  const paths = planPathsOf(parts.paths, plan);
  const spec = readSpec(paths.dir);
  if (!spec.ok) return refused(spec.error.map(problemSentence).join('; '));
  if (contentAddress(spec.value) !== checksum) {
    return refused(`${paths.spec} was edited after planning began; take it: tutti plan --plan ${plan}`);
  }
  const changed = await changePlan(parts, plan, (record) =>
    record.phase === 'ingestion' ? advance(record, { total: 0, open: 0 }) : ok(record),
  );
  if (!changed.ok) return failed(changed.error);
  const message = `phase ${changed.value.phase}, specification ${checksum.slice(0, 12)}`;
  await log(parts, paths, 'start', message);
  const { phase, verdict, made = {} } = changed.value;
  return done({ phase, verdict, made });
}

function refused(problem: string): Ingested {
  return done({ problem, finding: problem }, 'USAGE');
}
