import { isObject, type JsonObject, textMember } from '../lib/json.ts';
import { judgeCommand } from './command.ts';
import type { EntryState } from './entry.ts';

/** Why a step did not succeed, in one sentence; null when it did, or when there is nothing to say. */
export function messageOf(state: EntryState): string | null {
  if (state.at === 'failed' || state.at === 'retrying') return state.failure.message;
  if (state.at !== 'done' || state.outcome === 'SUCCESS' || !isObject(state.value)) return null;
  const { failure, finding, timedOut } = state.value;
  // A command's record says whether it timed out, a gate's has a finding, a turn's and a verdict's a failure.
  if (typeof timedOut === 'boolean' && failure === undefined && finding === undefined) {
    return commandMessage(state.value);
  }
  return textMember(failure, 'message') || textMember(state.value, 'finding') || null;
}

function commandMessage(end: JsonObject): string {
  const { exitCode, timedOut, durationMs } = end;
  const { words } = judgeCommand({
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: textMember(end, 'signal') || null,
    timedOut: timedOut === true,
    durationMs: typeof durationMs === 'number' ? durationMs : 0,
    outputTail: textMember(end, 'outputTail'),
  });
  const lastLine = textMember(end, 'lastLine');
  return lastLine === '' ? words : `${words}: ${lastLine}`;
}

/** The message of a run without what was told of its steps, as `step: message`; null: nothing is left. */
export function withoutTold(message: string, told: Iterable<string>): string | null {
  const rest = [...told]
    .toSorted((a, b) => b.length - a.length)
    .reduce(withoutSentence, message)
    .replaceAll(/^[;\s]+|[;\s]+$|;\s*(?=;)/g, '');
  return rest === '' ? null : rest;
}

/** Only whole: the beginning of a longer sentence stays. */
function withoutSentence(message: string, words: string): string {
  return message
    .split(words)
    .reduce((left, rest) => (/^(?:;|$)/.test(rest) ? `${left}${rest}` : `${left}${words}${rest}`));
}
