import { familyOf } from '../../model/family.ts';
import { isOver, type Run } from '../../model/run.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { ProjectPaths } from '../project.ts';
import { findAtWork } from './at-work.ts';
import { livingHolder, type ShownHolderFacts } from './living-holder.ts';

interface Places extends ShownHolderFacts {
  readonly queries: Queries;
  readonly paths: ProjectPaths;
}

/** A run of which a process lives: the one that advances it, or one that it started. */
export interface UnderWay {
  readonly runId: string;
  /** The process that advances it; null: none does, and what the run started works on. */
  readonly pid: number | null;
  /** The command that ends it. */
  readonly stop: string;
}

/** The runs of a project that are under way, newest first. A child is under way with the run that it belongs to. */
export async function findUnderWay(places: Places): Promise<readonly UnderWay[]> {
  const open = (await places.queries.runs(null)).filter(
    ({ state, parent }) => !isOver(state) && parent === null,
  );
  return (await Promise.all(open.map((run) => lookAt(places, run)))).filter((found) => found !== null);
}

export function stopCommand(run: Pick<Run, 'id' | 'workflow'>): string {
  return familyOf(run).isSession ? `tutti session kill ${run.id}` : `tutti stop ${run.id}`;
}

async function lookAt(places: Places, run: Run): Promise<UnderWay | null> {
  const stop = stopCommand(run);
  const holder = await livingHolder(places, run);
  if (holder !== null) return { runId: run.id, pid: holder.pid, stop };
  const entries = await places.queries.entries(run.id);
  return (await findAtWork(places, run.id, entries)).size === 0 ? null : { runId: run.id, pid: null, stop };
}
