import { counted } from '../../lib/counted.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { instant } from '../status/run-status.ts';
import type { WatchDeed, WatchReport } from './watchdog.ts';
import type { Output } from '../../model/schemas/published.ts';

const longest = 500;

const verbs: Readonly<Record<WatchDeed['did'], string>> = {
  ended: 'ended',
  warned: 'warned',
  settled: 'settled',
  'gave-up': 'given up',
  repaired: 'repaired',
  failed: 'failed',
};

export function sentenceOf({ session, did, message }: WatchDeed): string {
  const who = session === null ? 'sessions' : `session ${session}`;
  return `${who}: ${verbs[did]}: ${oneLine(message, longest)}`;
}

/** Everything a look has to say; at least one line. */
export function reportLines({ sessions, deeds, leftovers }: WatchReport): readonly string[] {
  const looked = `looked at ${counted(sessions, 'live session')}`;
  const lines = [
    ...deeds.map(sentenceOf),
    ...(leftovers?.folders ?? []).map(
      (name) => `left over: .tutti/sessions/${oneLine(name)} belongs to no session`,
    ),
    ...(leftovers?.missing ?? []).map((id) => `left over: session ${id} ran, and its folder is gone`),
  ];
  return lines.length === 0 ? [`${looked}: all is well`] : [...lines, looked];
}

/** The published form of `tutti session watchdog --json`. */
export function reportJson({ at, sessions, deeds, leftovers }: WatchReport): Output<'session-watchdog'> {
  return {
    at: instant(at),
    sessions,
    actions: deeds.map(({ session, did, message }) => ({ session_id: session, action: did, message })),
    leftovers: leftovers === null ? null : { folders: leftovers.folders, missing: leftovers.missing },
  };
}
