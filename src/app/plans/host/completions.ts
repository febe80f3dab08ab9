import { plain } from '../../../lib/json.ts';
import type { Result } from '../../../lib/result.ts';
import type { Completion } from '../../../model/entry.ts';
import { failure } from '../../../model/failure.ts';
import type { NoEnd } from '../../host/command-task.ts';

export function done(value: unknown): Completion {
  return { at: 'done', outcome: 'SUCCESS', value: plain(value) };
}

/** What could not be done, in words. */
export function failed(message: string): Completion {
  return { at: 'failed', failure: failure('error', message) };
}

export function completionOf<T>(result: Result<T, string>): Completion {
  return result.ok ? done(result.value) : failed(result.error);
}

export function withoutEnd(how: NoEnd): Completion {
  if (how === 'lost') return { at: 'lost' };
  return { at: 'failed', failure: failure('ended', 'it was ended before it finished') };
}
