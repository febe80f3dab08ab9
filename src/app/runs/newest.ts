import type { Run } from '../../model/run.ts';
import { familyOf } from '../../model/family.ts';

export interface RunChoice {
  readonly limit: number | null;
  /** Those too that are one session, and are listed as such. */
  readonly sessions: boolean;
}

/** The newest runs first. Many sessions between them cost a longer look, and hide nothing. */
export async function newestRuns(
  { queries }: { readonly queries: { runs(limit: number | null): Promise<readonly Run[]> } },
  { limit, sessions }: RunChoice,
): Promise<readonly Run[]> {
  if (sessions) return queries.runs(limit);
  for (let looked = limit; ; looked = looked === null || looked > 10_000 ? null : looked * 10) {
    const runs = await queries.runs(looked);
    const found = runs.filter((run) => !familyOf(run).isSession);
    const isAll = looked === null || runs.length < looked;
    if (isAll || (limit !== null && found.length >= limit))
      return limit === null ? found : found.slice(0, limit);
  }
}
