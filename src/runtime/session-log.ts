import { appendText } from '../lib/atomic-file.ts';
import { readText } from '../lib/read-text.ts';
import { fileOf } from './attempt-files.ts';

export type LogLevel = 'INFO' | 'WARN' | 'ERROR';
export type LogLine = readonly [level: LogLevel, message: string];

const file = 'session.log';
const maxBytes = 4 * 1024 * 1024;

/** What happens to a session now, for people. */
export function noteSession(dir: string, ...lines: readonly LogLine[]): void {
  noteSessionAt(dir, Date.now(), ...lines);
}

/** The same of a moment that is recorded elsewhere too. All in one write, so that lines are there together or not at all. */
export function noteSessionAt(dir: string, at: number, ...lines: readonly LogLine[]): void {
  const stamp = new Date(at).toISOString();
  const text = lines.map(([level, message]) => `[${stamp}] [${level}] ${message}\n`).join('');
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
 * The same for the shell launcher: pairs of level and message. Expects `tutti_dir`, `tutti_at`, and `tutti_session` to be -
 * where there is no session. Not through a link, and not into a pipe that nobody reads: agents can write there too.
 * `tutti_stamp` sets `tutti_at` to now, or with `-r FILE` to when that file was written. Not every `date` knows milliseconds.
 */
export const noteFunctions = `
tutti_stamp() {
  tutti_at=$(date -u "$@" +%Y-%m-%dT%H:%M:%S.%3NZ) || return 1
  case $tutti_at in *N*) tutti_at=\${tutti_at%%.*}Z ;; esac
}
tutti_note() (
  [ "$tutti_session" != - ] || exit 0
  tutti_file="\${tutti_dir}session.log"
  [ ! -L "$tutti_file" ] || exit 0
  [ ! -e "$tutti_file" ] || [ -f "$tutti_file" ] || exit 0
  umask 077
  tutti_text=
  while [ $# -gt 1 ]; do
    tutti_text="\${tutti_text}[$tutti_at] [$1] $2
"
    shift 2
  done
  printf %s "$tutti_text" >>"$tutti_file"
)
`;
