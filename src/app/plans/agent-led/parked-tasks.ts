import { isSafeId } from '../../../lib/ids.ts';
import { rootStepOf } from '../../../model/key.ts';
import { messageOf } from '../../../model/message.ts';
import { describeHolder } from '../../../model/silent-holder.ts';
import type { Run } from '../../../model/run.ts';
import { isTerminal } from '../../../model/session.ts';
import type { TaskNode } from '../../../model/ports/plan-queries.ts';
import type { Queries } from '../../../model/ports/queries.ts';
import type { ProjectPaths } from '../../project.ts';
import { findAtWork } from '../../status/at-work.ts';
import {
  findSilentHolder,
  isHeld,
  isStopKept,
  type KeptStopFacts,
  type SilenceFacts,
} from '../../status/living-holder.ts';
import { sessionBehind } from './is-working.ts';

export interface TaskPlaces extends SilenceFacts {
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
export async function findParked(
  places: TaskPlaces,
  plan: string,
  nodes: readonly TaskNode[],
): Promise<readonly ParkedTask[]> {
  const begun = nodes.filter(({ at }) => at === 'running');
  if (begun.length === 0) return [];
  const { queries } = places;
  return (
    await Promise.all(
      begun.map(async ({ id, name }) => {
        const state = (await queries.plans.task(plan, id))?.state;
        const reason = state?.at === 'running' ? await whyParked(places, state.by, id) : null;
        return reason === null ? [] : [{ id, name, reason }];
      }),
    )
  ).flat();
}

/** Tasks on which something works, as far as anything is known: a person who began one by hand is believed. */
export async function findRunning(places: TaskPlaces, plan: string): Promise<readonly string[]> {
  const nodes = await places.queries.plans.nodes(plan);
  const parked = new Set((await findParked(places, plan, nodes)).map(({ id }) => id));
  return nodes.filter(({ id, at }) => at === 'running' && !parked.has(id)).map(({ id }) => id);
}

/** Null: something works on it, or nothing is known of whoever began it. */
async function whyParked(places: TaskPlaces, by: string, task: string): Promise<string | null> {
  const session = await sessionBehind(places, by);
  if (session !== null)
    return isTerminal(session.status) ? `session ${session.id} has ended (${session.status})` : null;
  const run = isSafeId(by) ? await places.queries.run(by) : null;
  return run === null ? null : whyRunParked(places, run, task);
}

async function whyRunParked(places: TaskPlaces, run: Run, task: string): Promise<string | null> {
  const { queries } = places;
  if (run.state.at === 'ended') {
    const why = run.state.failure?.message ?? null;
    return `run ${run.id} ended with ${run.state.outcome}${why === null ? '' : `: ${why}`}`;
  }
  const entries = (await queries.entries(run.id)).filter(({ key }) => rootStepOf(key) === task);
  const asks = (await queries.openQuestions(run.id)).find(({ key }) => rootStepOf(key) === task);
  const held = await isHeld(places, run.id);
  const silent = await findSilentHolder(places, run);
  if ((await findAtWork(places, run.id, entries)).size > 0) return null;
  if (await isStopKept(places, run)) return `run ${run.id} is stopped`;
  if (asks !== undefined && entries.some(({ kind, state }) => kind === 'ask' && state.at === 'open'))
    return `waits for an answer: ${asks.question.text}`;
  if (run.state.at === 'halted') return `run ${run.id} is halted: ${run.state.reason}`;
  if (silent !== null) return describeHolder(silent, run.id);
  if (held) return null;
  const last = entries.map(({ state }) => messageOf(state)).findLast((message) => message !== null);
  return `no process advances run ${run.id}${last === undefined || last === null ? '' : `; last: ${last}`}`;
}
