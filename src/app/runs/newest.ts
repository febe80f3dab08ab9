import type { Run } from '../../model/run.ts';
import { familyOf } from '../../model/family.ts';

export interface RunChoice {
  readonly limit: number | null;
  /** Those too that are one session, and are listed as such. */
  readonly sessions: boolean;
  /** Absent: every other one. */
  readonly isWanted?: (run: Run) => boolean;
}

/** The newest runs first. Many sessions between them cost a longer look, and hide nothing. */
export async function newestRuns(
  { queries }: { readonly queries: { runs(limit: number | null): Promise<readonly Run[]> } },
  { limit, sessions, isWanted = () => true }: RunChoice,
): Promise<readonly Run[]> {
  for (let looked = limit; ; looked = looked === null || looked > 10_000 ? null : looked * 10) {
    const runs = await queries.runs(looked);
    const found = runs.filter((run) => (sessions || !familyOf(run).isSession) && isWanted(run));
    const isAll = looked === null || runs.length < looked;
    if (isAll || (limit !== null && found.length >= limit))
      return limit === null ? found : found.slice(0, limit);
  }
}

/** The newest run that a person started; without one, the newest that an agent started. Null: there is no run. */
export async function newestRun(project: Parameters<typeof newestRuns>[0]): Promise<Run | null> {
  const newest = async (isWanted: (run: Run) => boolean): Promise<Run | undefined> =>
    (await newestRuns(project, { limit: 1, sessions: false, isWanted }))[0];
  return (
    (await newest(({ id, rootId, parent }) => parent === null && rootId === id)) ??
    (await newest(({ parent }) => parent === null)) ??
    null
  );
}
