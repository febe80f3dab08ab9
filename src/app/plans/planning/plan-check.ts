import { changePlan } from '../../plan-record/change-plan.ts';
import { statSync } from 'node:fs';
import { digest, digestText } from '../../../lib/digest.ts';
import { isObject } from '../../../lib/json.ts';
import { namesIn } from '../../../lib/names-in.ts';
import { readText } from '../../../lib/read-text.ts';
import { ok } from '../../../lib/result.ts';
import type { Entry } from '../../../model/entry.ts';
import { stepIdOf } from '../../../model/key.ts';
import { type PlanCheck, problemOf, type VerdictCheck } from '../../../model/plan/plan-check.ts';
import {
  advance,
  fallBack,
  type ArtifactName,
  type PlanChange,
  type PlanRecord,
} from '../../../model/plan/plan-record.ts';
import { phaseAgents, type PlanPhase } from '../../../model/plan/phase.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { readCapabilityMap, readSpec } from '../../plan-files/load-plan.ts';
import { type PlanPaths, planPathsOf } from '../../plan-files/plan-paths.ts';
import { writePlanViews } from '../plan-views.ts';
import { checkMap } from './check-map.ts';
import type { CheckRequest, PlanPlace } from './check-request.ts';
import { checkTasks } from './check-tasks.ts';
import { factsOfPlan } from '../facts-of-plan.ts';
import { log } from './plan-log.ts';

const maxBytes = 64 * 1024 * 1024;

/**
 * Looks for what the agent owes at its absolute path, validates it, records it by its digest and lets the plan go on. Doing
 * it twice is doing it once.
 */
export async function planCheck({
  parts,
  args: request,
}: OperationCall<'plan-check'>): Promise<OperationEnd<PlanCheck>> {
  const { plan, artifact, phase } = request;
  const record = await parts.queries.plans.one(plan);
  if (record === null) return failed(`there is no plan '${plan}'`);
  const paths = planPathsOf(parts.paths, plan);
  const place = { parts, record, paths };
  const path = outputOf(paths, artifact);
  if (!isThere(path, artifact)) {
    await takeBack(place, phase);
    await log(parts, paths, 'validation', `${artifact} - MISSING at ${path}`, 'WARN');
    return reportCheck({ at: 'missing', path });
  }
  const spec = readSpec(paths.dir);
  if (!spec.ok) return failed(spec.error.map(problemSentence).join('; '));
  const facts = await factsOfPlan(parts.queries, record, paths, {
    specText: spec.value,
    sequenced: phase === 'sequencing',
  });
  const moved = upstreamMoved({ ...place, facts }, request);
  if (moved !== null) return failed(moved);
  const looked =
    artifact === 'tasks'
      ? checkTasks({ ...place, facts }, request)
      : checkMap({ ...place, facts }, artifact, request);
  if (!looked.ok) {
    const problems = looked.error.map(problemSentence);
    await takeBack(place, phase);
    await log(parts, paths, 'validation', `${artifact} - FAILED: ${problems[0] ?? ''}`, 'WARN');
    return reportCheck({ at: 'invalid', problems, left: leftOf(path) });
  }
  const { digest: left } = looked.value.checked;
  const taken = await looked.value.take((next) => goneOn(withMade(next, request, left), phase));
  if (!taken.ok) return failed(taken.error);
  await log(parts, paths, 'validation', `${artifact} - PASSED (${phase})`);
  if (request.made !== undefined || phase === 'sequencing')
    await log(parts, paths, 'spawn-complete', `${phaseAgents[phase]} finished with SUCCESS`);
  const now = (await parts.queries.plans.one(plan))?.phase ?? record.phase;
  if (now !== record.phase)
    await log(parts, paths, 'phase-transition', `moving from ${record.phase} to ${now}`);
  await writePlanViews(parts, plan);
  return reportCheck({ at: 'valid', ...looked.value.checked });
}

/** What was found in an agent's files. Files that do not count are a failed check, told with what is wrong with them. */
export function reportCheck<Check extends PlanCheck | VerdictCheck>(check: Check): OperationEnd<Check> {
  const finding = problemOf(check);
  if (finding === null) return done(check);
  return done({ ...check, finding }, 'FAILURE');
}

/** Files that no longer pass are nothing that a later phase could stand on. */
async function takeBack({ parts, record }: Omit<PlanPlace, 'facts'>, phase: PlanPhase): Promise<void> {
  await changePlan(parts, record.name, (now) => ok(fallBack(now, phase)));
}

/** Work that is looked at again left nothing new: what differs since was changed by a person. */
function withMade(record: PlanRecord, { artifact, made }: CheckRequest, left: string): PlanRecord {
  if (made === undefined) return record;
  const before = record.made?.[artifact];
  if (before !== undefined && before.work === made.work && before.from === made.from) return record;
  const now = artifact === 'tasks' ? { ...made, left, ordered: left } : made;
  return { ...record, made: { ...record.made, [artifact]: now } };
}

/** A plan that is further already stays there: what it has was looked at again, and is the same. */
function goneOn(record: PlanRecord, phase: PlanPhase): PlanChange {
  return record.phase === phase ? advance(record, { total: 0, open: 0 }) : ok(record);
}

/** What an agent builds on was checked; if somebody changes it meanwhile, both would be wrong. */
function upstreamMoved({ paths, facts }: PlanPlace, { capabilities, artifact }: CheckRequest): string | null {
  if (capabilities === undefined) return null;
  const now = readCapabilityMap(paths.dir, facts);
  if (now.ok && now.value.digest === capabilities) return null;
  return `${paths.capabilityMap} was changed while ${artifact} was made from it; look at it, then: tutti plan`;
}

/**
 * Phases whose files were edited since they were last checked and did not pass. What their agent was paid for is kept, and the
 * files are checked as they are now.
 */
export function editedSinceCheck(entries: readonly Entry[], paths: PlanPaths): ReadonlySet<string> {
  const isEdited = ([step, artifact]: readonly [string, ArtifactName]): boolean => {
    const last = entries.findLast(
      ({ key, state }) => stepIdOf(key) === `${step}/check` && state.at === 'done',
    );
    const value = last?.state.at === 'done' ? last.state.value : null;
    const left = isObject(value) && value['at'] === 'invalid' ? value['left'] : undefined;
    return left !== undefined && left !== leftOf(outputOf(paths, artifact));
  };
  return new Set(
    Object.entries(artifactsOfPhases)
      .filter(isEdited)
      .map(([step]) => step),
  );
}

const artifactsOfPhases = {
  logical: 'capability_map',
  physical: 'physical_map',
  definition: 'tasks',
} as const satisfies Partial<Record<PlanPhase, ArtifactName>>;

function outputOf(paths: PlanPaths, artifact: ArtifactName): string {
  if (artifact === 'tasks') return `${paths.tasks}/`;
  return artifact === 'capability_map' ? paths.capabilityMap : paths.physicalMap;
}

function isThere(path: string, artifact: ArtifactName): boolean {
  if (artifact !== 'tasks') return statSync(path, { throwIfNoEntry: false }) !== undefined;
  return namesIn(path).some((name) => name.endsWith('.json'));
}

/** Of the files as they are, so that a turn that moved nothing is told from one that did. */
function leftOf(path: string): string {
  const files = path.endsWith('/') ? namesIn(path).map((name) => `${path}${name}`) : [path];
  return digest(
    files.map((file) => {
      const text = readText(file, { maxBytes, links: 'refuse' });
      return [file, text.ok ? digestText(text.value) : text.error.message];
    }),
  );
}
