import { isObject } from '../../lib/json.ts';
import type { Failure } from '../failure.ts';
import type { ErrorCategory, TaskError } from './task-state.ts';

const builds =
  /\b(tsc|javac|gcc|g\+\+|clang|rustc|make|cmake|gradle|mvn|webpack|vite build|(go|cargo|npm run) build)\b/;

/** A failure in the document's words. */
export function taskErrorOf({ reason, outcome, message, evidence }: Failure): TaskError {
  const told = isObject(evidence) ? evidence['category'] : undefined;
  const category = typeof told === 'string' ? named(told) : null;
  return { category: category ?? usual(reason), message, retryable: outcome !== 'NEEDS_ESCALATION' };
}

/** Of an acceptance command that did not pass. */
export function categoryOfCommand(verification: string): ErrorCategory {
  return builds.test(verification) ? 'compilation' : 'test';
}

function named(text: string): ErrorCategory | null {
  switch (text) {
    case 'dependency':
    case 'compilation':
    case 'test':
    case 'validation':
    case 'runtime':
      return text;
    default:
      return null;
  }
}

function usual(reason: Failure['reason']): ErrorCategory {
  switch (reason) {
    case 'gate':
    case 'no-progress':
    case 'invalid-result':
      return 'validation';
    case 'needs':
    case 'unavailable':
    case 'sign-in':
      return 'dependency';
    case 'exit':
    case 'signal':
    case 'timeout':
    case 'no-result':
    case 'reported':
    case 'lost':
    case 'budget':
    case 'depth':
    case 'unmatched':
    case 'ended':
    case 'error':
      return 'runtime';
  }
}
