import { isAlive, isSuspended } from '../../lib/process/identity.ts';
import type { ProcessTable } from '../../lib/process/process-table.ts';
import type { Holder } from '../../model/holder.ts';
import { isLapsed, type Lease } from '../../model/lease.ts';
import type { Clock } from '../../model/ports/clock.ts';
import type { StopWishes } from '../../model/ports/stop-wishes.ts';
import type { Run } from '../../model/run.ts';
import type { SilentHolder } from '../../model/silent-holder.ts';

/** What is asked to know whether a process advances a run. */
export interface HolderFacts {
  readonly queries: {
    holder(runId: string): Promise<Holder | null>;
    run(runId: string): Promise<Run | null>;
  };
  readonly processes: ProcessTable;
}

/**
 * The process that advances a run, looked for among the living: a row may name one that died. A child is advanced by the
 * process that advances its parent.
 */
export async function livingHolder(
  facts: HolderFacts,
  run: Pick<Run, 'id' | 'parent'>,
): Promise<Holder | null> {
  const holder = await facts.queries.holder(run.id);
  if (holder !== null && isAlive(holder, facts.processes)) return holder;
  const parent = run.parent === null ? null : await facts.queries.run(run.parent.runId);
  return parent === null ? null : livingHolder(facts, parent);
}

/** What is asked to know whether a stop of a run is kept that the database does not know. */
export interface KeptStopFacts {
  readonly queries: Pick<HolderFacts['queries'], 'run'>;
  readonly wishes?: Pick<StopWishes, 'of'> | undefined;
}

/** What is asked to know whether a process that holds a run does anything. */
export interface SilenceFacts extends HolderFacts {
  readonly queries: HolderFacts['queries'] & { lease(holderId: string): Promise<Lease | null> };
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly me?: Holder;
}

/** What is asked besides, where the state of a run is shown. */
export interface ShownHolderFacts extends SilenceFacts, Pick<KeptStopFacts, 'wishes'> {
  readonly queries: SilenceFacts['queries'];
}

/**
 * The same for people: a process that still holds a run which another command stopped advances it no more, also where the
 * stop is not recorded yet; nor does a process that does not respond.
 */
export async function advancingHolder(
  facts: ShownHolderFacts,
  run: Pick<Run, 'id' | 'parent' | 'rootId'>,
): Promise<Holder | null> {
  const holder = await livingHolder(facts, run);
  if (holder === null || holder.id === facts.me?.id) return holder;
  return (await isStopKept(facts, run)) || (await silenceOf(facts, holder)) !== null ? null : holder;
}

/** Null: no process holds the run, or the one that does responds. */
export async function findSilentHolder(
  facts: SilenceFacts,
  run: Pick<Run, 'id' | 'parent'>,
): Promise<SilentHolder | null> {
  const holder = await livingHolder(facts, run);
  return holder === null || holder.id === facts.me?.id ? null : findSilence(facts, holder);
}

/** Whether a process does not respond that lives; null: it does, or is gone. */
export async function findSilence(facts: SilenceFacts, holder: Holder): Promise<SilentHolder | null> {
  if (!isAlive(holder, facts.processes)) return null;
  const known = await silenceOf(facts, holder);
  return known === null ? null : { pid: holder.pid, known };
}

async function silenceOf(facts: SilenceFacts, holder: Holder): Promise<SilentHolder['known'] | null> {
  if (isSuspended(holder, facts.processes)) return 'suspended';
  return (await hasLapsed(facts, holder)) ? 'lapsed' : null;
}

/** Whether the claims of a process may be taken over although it lives. */
export async function hasLapsed(
  { queries, clock }: Pick<SilenceFacts, 'queries' | 'clock'>,
  { id }: Pick<Holder, 'id'>,
): Promise<boolean> {
  const lease = await queries.lease(id);
  return lease !== null && isLapsed(lease, clock.monotonic());
}

/** Whether the run is stopped and the database does not know it yet. */
export async function isStopKept(
  facts: KeptStopFacts,
  run: Pick<Run, 'id' | 'parent' | 'rootId'>,
): Promise<boolean> {
  const stopped = await keptWith(facts, run);
  return stopped !== null && facts.wishes?.of(stopped) === 'stop';
}

/**
 * The run whose kept stop or halt is this run's too: itself, one that it is a child of, or the one whose budget it lives on.
 * Null: there is none.
 */
export async function keptWith(
  facts: KeptStopFacts,
  { id, parent, rootId }: Pick<Run, 'id' | 'parent' | 'rootId'>,
): Promise<string | null> {
  const isKept = (run: string): boolean => (facts.wishes?.of(run) ?? null) !== null;
  if (isKept(id)) return id;
  const above = parent === null ? null : await facts.queries.run(parent.runId);
  const inherited = above === null ? null : await keptWith(facts, above);
  return inherited ?? (isKept(rootId) ? rootId : null);
}

/** Whether a process that lives advances the run: another one, or this. */
export async function isHeld(facts: HolderFacts, runId: string): Promise<boolean> {
  const run = await facts.queries.run(runId);
  return run !== null && (await livingHolder(facts, run)) !== null;
}

/** Whether another process that lives has claimed the run. */
export async function isAdvancing(
  facts: HolderFacts & { readonly me: Holder },
  runId: string,
): Promise<boolean> {
  const holder = await facts.queries.holder(runId);
  return holder !== null && holder.id !== facts.me.id && isAlive(holder, facts.processes);
}
