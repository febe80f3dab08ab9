import { type JsonObject, plain, recorded } from '../../lib/json.ts';
import type { Completion } from '../../model/entry.ts';
import type { OperationArgs, OperationName, OperationResult } from '../../model/operations.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { HostParts } from './host-parts.ts';

/** Where and how an operation runs. */
export interface OperationContext {
  readonly parts: HostParts;
  readonly attempt: LaunchedAttempt;
  readonly workspace: string;
  /** `adopt`: a process before this one may have begun it. Operations are idempotent, so it may also be done again. */
  readonly how: 'launch' | 'adopt';
  readonly signal: AbortSignal;
}

export interface OperationCall<Name extends OperationName> extends OperationContext {
  readonly args: OperationArgs<Name>;
}

/** A completion whose value is not JSON yet. */
export type OperationEnd<Result> =
  | { readonly at: 'done'; readonly outcome: Outcome; readonly value: Result }
  | Exclude<Completion, { at: 'done' }>;

type Implementation<Name extends OperationName> = (
  call: OperationCall<Name>,
) => Promise<OperationEnd<OperationResult<Name>>> | OperationEnd<OperationResult<Name>>;

/** One function for every name of the table. */
export type Implementations<Names extends OperationName> = {
  readonly [Name in Names]: Implementation<Name>;
};

/** Runs an operation as it was recorded; its result becomes JSON again. */
export async function perform<Name extends OperationName>(
  implementations: Implementations<Name>,
  name: Name,
  args: JsonObject,
  context: OperationContext,
): Promise<Completion> {
  const implementation: Implementation<Name> = implementations[name];
  const end = await implementation({ ...context, args: recorded<OperationArgs<Name>>(args) });
  return end.at === 'done' ? { ...end, value: plain(end.value) } : end;
}
