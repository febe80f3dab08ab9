import { digest } from '../lib/digest.ts';
import { keyOf } from '../model/key.ts';
import type { Ctx, OperationOptions } from './ctx.ts';

/** Work that was accepted: what it says, and the files that it names. */
export interface AcceptedWork {
  /** Its step, or a part of it. */
  readonly id: string;
  /** Key of its last turn. */
  readonly after: string;
  readonly summary: string;
  readonly artifacts: readonly string[];
  readonly place: OperationOptions;
}

/** Digest of what a step produced. Dependents stand on it, so the contents of its artifacts count and not only their names. */
export async function digestWork(ctx: Ctx, work: AcceptedWork): Promise<string> {
  const { id, after, summary, artifacts, place } = work;
  if (artifacts.length === 0) return digest([summary, null]);
  const key = keyOf(`${id}/artifacts`, { after });
  return digest([summary, await ctx.operation(key, 'digest', { globs: artifacts }, place)]);
}
