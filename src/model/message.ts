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

/** The message of a run in which what was told of a step, as `step: message`, is short: `step failed`. */
export function abbreviateTold(message: string, told: Iterable<string>): string {
  return [...told].toSorted((a, b) => b.length - a.length).reduce(abbreviate, message);
}

/** Only whole: the beginning of a longer sentence stays. */
function abbreviate(message: string, words: string): string {
  const short = `${words.slice(0, words.indexOf(': '))} failed`;
  return message
    .split(words)
    .reduce((left, rest) => `${left}${/^(?:;|$)/.test(rest) ? short : words}${rest}`);
}
