import { plain, recorded, type Json, isObject, textMember } from '../../../lib/json.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { planRunId } from '../../../model/plan/task-row.ts';
import { parseJson } from '../../../model/schemas/json-text.ts';
import type { Tutti } from '../../tutti.ts';
import { isRefusedPlanning } from '../../plan-record/refused-plan.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';
import { copyOf, keepCopy, pruneCopies } from './checked-copies.ts';

/** What a planning is compared with: the last one that came to its end. */
export interface History extends Pick<PlanInput, 'round' | 'conducted' | 'before' | 'beforeSpec'> {
  /** The input of the run, if there is one. */
  readonly known: PlanInput | null;
}

/** Of a plan that is only now begun. */
export const firstHistory: History = { round: 1, conducted: {}, before: {}, beforeSpec: null, known: null };

/**
 * Taken before anything is changed, and kept for `spec`: the record forgets what was checked when another specification is
 * stored, and whoever dies between that and the amendment of the run must not make the next one forget it too.
 */
export async function takeHistory(
  tutti: Pick<Tutti, 'queries'>,
  record: PlanRecord,
  paths: PlanPaths,
  spec: string,
): Promise<History> {
  const run = await tutti.queries.run(planRunId(record.name));
  const known = run === null ? null : recorded<PlanInput>(await tutti.queries.input(run.id));
  const round = (known?.round ?? 0) + 1;
  const { checked } = record;
  const conducted = known === null ? checked : known.conducted;
  const isOver = run?.state.at === 'ended' && (run.state.outcome === 'SUCCESS' || isRefusedPlanning(run));
  if (known !== null && !isOver) {
    return { round, conducted, before: known.before, beforeSpec: known.beforeSpec, known };
  }
  const kept = known !== null && record.specChecksum !== known.specChecksum ? keptFor(paths, spec) : null;
  if (kept !== null) return { round, conducted, ...kept, known };
  const before = { before: checked, beforeSpec: record.specChecksum };
  pruneCopies(paths, record);
  keepCopy(paths, 'history', spec, JSON.stringify(before));
  return { round, conducted, ...before, known };
}

function keptFor(paths: PlanPaths, spec: string): Pick<History, 'before' | 'beforeSpec'> | null {
  const json = parseJson(copyOf(paths, 'history', spec) ?? '');
  if (!json.ok || !isObject(json.value)) return null;
  const before = json.value['before'] ?? {};
  return { before: digestsIn(before), beforeSpec: textMember(json.value, 'beforeSpec') || null };
}

/** The plan's folder is open to agents: what is no text is not believed. */
function digestsIn(value: Json): PlanInput['before'] {
  const texts = Object.entries(isObject(value) ? value : {}).filter(
    ([, digest]) => typeof digest === 'string',
  );
  return recorded<PlanInput['before']>(plain(Object.fromEntries(texts)));
}
