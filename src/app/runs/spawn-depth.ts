import { err, ok, type Result } from '../../lib/result.ts';
import { findDepthLimit } from '../host/depth-limit.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { KnownSessions } from '../sessions/find.ts';
import type { Origin } from '../sessions/origin.ts';

/** Where a session may nest. */
export interface AdmittedDepth {
  /** Depth of the caller; the session is one deeper. */
  readonly above: number;
  readonly limit: number;
}

interface AskedDepth {
  /** Null: that of the configuration. */
  readonly maxDepth: number | null;
  /** What the caller says about itself; null: nothing. */
  readonly currentDepth: number | null;
}

interface DepthPlace extends KnownSessions {
  readonly config: { readonly maxDepth: number };
}

/** How deep the caller is, and how deep sessions may nest by its own limit and by that of the run that it belongs to. */
export async function measureDepth(
  { queries, config }: DepthPlace,
  { maxDepth, currentDepth }: AskedDepth,
  { depth, within }: Pick<Origin, 'depth' | 'within'>,
): Promise<Result<AdmittedDepth, Refusal>> {
  if (currentDepth !== null && currentDepth < depth) {
    const message = `--current-depth ${currentDepth} is less than the depth of this command, which is ${depth}`;
    return err(refusal('USAGE', message, 'leave out --current-depth: Tutti counts by itself'));
  }
  const above = currentDepth ?? depth;
  const root = within === null ? null : ((await queries.run(within))?.rootId ?? null);
  const allowed = root === null ? null : await findDepthLimit(queries, [root]);
  const limit = Math.min(maxDepth ?? config.maxDepth, allowed ?? Number.POSITIVE_INFINITY);
  return ok({ above, limit });
}

/** Whether one more session fits below the caller. */
export async function admitDepth(
  place: DepthPlace,
  asked: AskedDepth,
  origin: Pick<Origin, 'depth' | 'within'>,
): Promise<Result<AdmittedDepth, Refusal>> {
  const depth = await measureDepth(place, asked, origin);
  if (!depth.ok) return depth;
  const { above, limit } = depth.value;
  if (above < limit) return depth;
  const message = `sessions may nest ${limit} deep, and this one would be at ${above + 1}`;
  return err(refusal('DEPTH_EXCEEDED', message, 'do the work here, or report it to the caller'));
}

/** A sentence for the caller where the session is the last one that fits; null: more fit below it. */
export function warnOfDepth({ above, limit }: AdmittedDepth): string | null {
  if (limit - above !== 1) return null;
  return `depth ${above + 1} of ${limit}: the agent can start no further session`;
}
