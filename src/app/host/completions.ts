import type { Result } from '../../lib/result.ts';
import type { NoEnd } from '../../model/command.ts';
import { failure } from '../../model/failure.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { OperationEnd } from './operation-call.ts';

/** The table types the value, through what the caller must return; the value itself does not. */
export function done<Value>(value: NoInfer<Value>, outcome: Outcome = 'SUCCESS'): OperationEnd<Value> {
  return { at: 'done', outcome, value };
}

/** What could not be done, in words. */
export function failed(message: string): OperationEnd<never> {
  return { at: 'failed', failure: failure('error', message) };
}

export function completionOf<Value>(result: Result<Value, string>): OperationEnd<Value> {
  return result.ok ? done(result.value) : failed(result.error);
}

export function withoutEnd(how: NoEnd, what = 'it'): OperationEnd<never> {
  if (how === 'lost') return { at: 'lost' };
  return { at: 'failed', failure: failure('ended', `${what} was ended before it finished`) };
}
