import { isObject, textMember } from '../lib/json.ts';
import type { EntryState } from './entry.ts';

/** Why a step did not succeed, in one sentence; null when it did, or when there is nothing to say. */
export function messageOf(state: EntryState): string | null {
  if (state.at === 'failed' || state.at === 'retrying') return state.failure.message;
  if (state.at !== 'done' || state.outcome === 'SUCCESS' || !isObject(state.value)) return null;
  const { exitCode, failure, finding, timedOut } = state.value;
  if (timedOut === true) return 'ran into its deadline';
  // A command's record has an exit code, a gate's a finding, a turn's and a verdict's a failure.
  if (typeof exitCode === 'number' && failure === undefined && finding === undefined) {
    return `exit code ${exitCode}: ${textMember(state.value, 'lastLine')}`;
  }
  return textMember(failure, 'message') || textMember(state.value, 'finding') || null;
}

/** The message of a run without what was told of its steps, as `step: message`; null: nothing is left. */
export function withoutTold(message: string, told: Iterable<string>): string | null {
  const rest = [...told]
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, words) => left.replaceAll(words, ''), message)
    .replaceAll(/^[;\s]+|[;\s]+$|;\s*(?=;)/g, '');
  return rest === '' ? null : rest;
}
