import { isAlive } from '../../lib/process/identity.ts';
import type { ProcessTable } from '../../lib/process/process-table.ts';
import type { Holder } from '../../model/holder.ts';
import type { StopWishes } from '../../model/ports/stop-wishes.ts';
import type { Run } from '../../model/run.ts';

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

/** What is asked besides, where the state of a run is shown. */
export interface ShownHolderFacts extends HolderFacts, Pick<KeptStopFacts, 'wishes'> {
  readonly queries: HolderFacts['queries'];
  readonly me?: Holder;
}

/**
 * The same for people: a process that still holds a run which another command stopped advances it no more, also where the
 * stop is not recorded yet.
 */
export async function advancingHolder(
  facts: ShownHolderFacts,
  run: Pick<Run, 'id' | 'parent' | 'rootId'>,
): Promise<Holder | null> {
  const holder = await livingHolder(facts, run);
  return holder !== null && holder.id !== facts.me?.id && (await isStopKept(facts, run)) ? null : holder;
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
