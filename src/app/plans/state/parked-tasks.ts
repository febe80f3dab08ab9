import { isSafeId } from '../../../lib/ids.ts';
import { rootStepOf } from '../../../model/key.ts';
import { messageOf } from '../../../model/message.ts';
import type { Run } from '../../../model/run.ts';
import { isTerminal } from '../../../model/session.ts';
import type { TaskNode } from '../../../store/plan-rows.ts';
import type { Queries } from '../../../store/queries.ts';
import type { ProjectPaths } from '../../project.ts';
import { findAtWork } from '../../status/at-work.ts';
import { type HolderFacts, isHeld, isStopKept, type KeptStopFacts } from '../../status/living-holder.ts';
import { sessionBehind } from './working.ts';

export interface TaskPlaces extends HolderFacts {
  readonly queries: Queries;
  readonly paths: ProjectPaths;
  readonly wishes?: KeptStopFacts['wishes'];
}

export interface ParkedTask {
  readonly id: string;
  readonly name: string;
  /** Why nothing works on it. */
  readonly reason: string;
}

/**
 * Tasks that a run of Tutti or a session began and on which nothing works now: the run ended at a ceiling, was halted or
 * stopped, waits for a person, or lost its process; the session ended. Their work is kept, and they continue with the run.
 */
export function findParked(
  places: TaskPlaces,
  plan: string,
  nodes: readonly TaskNode[],
): readonly ParkedTask[] {
  const begun = nodes.filter(({ at }) => at === 'running');
  if (begun.length === 0) return [];
  const { queries } = places;
  return begun.flatMap(({ id, name }) => {
    const state = queries.plans.task(plan, id)?.state;
    const reason = state?.at === 'running' ? whyParked(places, state.by, id) : null;
    return reason === null ? [] : [{ id, name, reason }];
  });
}

/** Tasks on which something works, as far as anything is known: a person who began one by hand is believed. */
export function findRunning(places: TaskPlaces, plan: string): readonly string[] {
  const nodes = places.queries.plans.nodes(plan);
  const parked = new Set(findParked(places, plan, nodes).map(({ id }) => id));
  return nodes.filter(({ id, at }) => at === 'running' && !parked.has(id)).map(({ id }) => id);
}

/** Null: something works on it, or nothing is known of whoever began it. */
function whyParked(places: TaskPlaces, by: string, task: string): string | null {
  const session = sessionBehind(places, by);
  if (session !== null)
    return isTerminal(session.status) ? `session ${session.id} has ended (${session.status})` : null;
  const run = isSafeId(by) ? places.queries.run(by) : null;
  return run === null ? null : whyRunParked(places, run, task);
}

function whyRunParked(places: TaskPlaces, run: Run, task: string): string | null {
  const { queries } = places;
  if (run.state.at === 'ended') {
    const why = run.state.failure?.message ?? null;
    return `run ${run.id} ended with ${run.state.outcome}${why === null ? '' : `: ${why}`}`;
  }
  const entries = queries.entries(run.id).filter(({ key }) => rootStepOf(key) === task);
  const asks = queries.openQuestions(run.id).find(({ key }) => rootStepOf(key) === task);
  const held = isHeld(places, run.id);
  if (findAtWork(places, run.id, entries).size > 0) return null;
  if (isStopKept(places, run)) return `run ${run.id} is stopped`;
  if (asks !== undefined && entries.some(({ kind, state }) => kind === 'ask' && state.at === 'open'))
    return `waits for an answer: ${asks.question.text}`;
  if (run.state.at === 'halted') return `run ${run.id} is halted: ${run.state.reason}`;
  if (held) return null;
  const last = entries.map(({ state }) => messageOf(state)).findLast((message) => message !== null);
  return `no process advances run ${run.id}${last === undefined || last === null ? '' : `; last: ${last}`}`;
}
