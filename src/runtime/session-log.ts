import { appendText } from '../lib/atomic-file.ts';
import { readText } from '../lib/read-text.ts';
import { fileOf } from './attempt-files.ts';

export type LogLevel = 'INFO' | 'WARN' | 'ERROR';
export type LogLine = readonly [level: LogLevel, message: string];

const file = 'session.log';
const maxBytes = 4 * 1024 * 1024;

/** Lines of what happened to a session, for people; all in one write, so that they are there together or not at all. */
export function noteSession(dir: string, ...lines: readonly LogLine[]): void {
  const at = new Date().toISOString().replace(/\.\d+/, '');
  const text = lines.map(([level, message]) => `[${at}] [${level}] ${message}\n`).join('');
  try {
    appendText(fileOf(dir, file), text);
  } catch {
    // For people to read: nobody's work ends for it.
  }
}

/** Has an end been told? Whoever tells it for a launcher that died may not be the first to try. */
export function toldTheEnd(dir: string): boolean {
  const text = readText(fileOf(dir, file), { maxBytes, links: 'refuse' });
  return text.ok && /\] Status: (CREATED|RUNNING) → (COMPLETED|FAILED|KILLED)\n/.test(text.value);
}

/**
 * The same for the shell launcher: pairs of level and message. Expects `tutti_dir`, and `tutti_session` to be - where
 * there is no session. Not through a link, and not into a pipe that nobody reads: agents can write there too.
 */
export const noteFunctions = `
tutti_now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
tutti_note() (
  [ "$tutti_session" != - ] || exit 0
  tutti_file="\${tutti_dir}session.log"
  [ ! -L "$tutti_file" ] || exit 0
  [ ! -e "$tutti_file" ] || [ -f "$tutti_file" ] || exit 0
  umask 077
  tutti_at=$(tutti_now) tutti_text=
  while [ $# -gt 1 ]; do
    tutti_text="\${tutti_text}[$tutti_at] [$1] $2
"
    shift 2
  done
  printf %s "$tutti_text" >>"$tutti_file"
)
`;
