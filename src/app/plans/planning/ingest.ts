import { contentAddress } from '../../../lib/digest.ts';
import { plain } from '../../../lib/json.ts';
import { ok } from '../../../lib/result.ts';
import type { Completion } from '../../../model/entry.ts';
import { advance } from '../../../model/plan/plan-record.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { readSpec } from '../load-plan.ts';
import { planPathsOf } from '../paths.ts';
import { done, failed, log } from './completion.ts';

/** The specification must be the one that was stored: everything that follows is made from it. */
export async function ingest(parts: HostParts, plan: string, checksum: string): Promise<Completion> {
  const paths = planPathsOf(parts.paths, plan);
  const spec = readSpec(paths.dir);
  if (!spec.ok) return refused(spec.error.map(problemSentence).join('; '));
  if (contentAddress(spec.value) !== checksum) {
    return refused(`${paths.spec} was edited after planning began; take it: tutti plan --plan ${plan}`);
  }
  const changed = await parts.store.changePlan(plan, (record) =>
    record.phase === 'ingestion' ? advance(record, { total: 0, open: 0 }) : ok(record),
  );
  if (!changed.ok) return failed(changed.error);
  const message = `phase ${changed.value.phase}, specification ${checksum.slice(0, 12)}`;
  await log(parts, paths, 'start', message);
  const { phase, verdict, made = {} } = changed.value;
  return done(plain({ phase, verdict, made }));
}

function refused(problem: string): Completion {
  return { at: 'done', outcome: 'USAGE', value: { problem, finding: problem } };
}
