import { oneLine } from '../../lib/terminal-text.ts';
import type { CodexSandbox } from '../../model/codex.ts';
import type { DriverEvent } from '../../model/driver.ts';

export interface Note {
  readonly events: readonly DriverEvent[];
  /** It could not make the helpers by which it runs commands in a sandbox. */
  readonly helpless: boolean;
}

const logLine = /^\d{4}-\d\d-\d\dT\S+Z +(ERROR|WARN|INFO|DEBUG|TRACE) (.*)/;
const violation = /recorded sandbox violation: (.*)/;
const toolError = /tools::router: error=(.*)/;
const helperWarning = 'could not create PATH aliases';
/** Seen with a home below the temporary folder, where it refuses to put programs. */
export const noHelpers =
  'the CLI could not create the helpers of its sandbox, because its home is below the temporary folder, which is /tmp in a sandbox: set CODEX_HOME to a folder outside of it';

/** A line that is no event: the CLI's own log, or why it did not start. */
export function noteOf(line: string, sandbox: CodexSandbox): Note {
  const [, level, message = ''] = logLine.exec(line) ?? [];
  if (level !== undefined) return { events: logEvents(level, message), helpless: false };
  const helpless = sandbox !== 'danger-full-access' && line.includes(helperWarning);
  if (helpless) {
    return { events: [problem(`its commands may all fail, set TMPDIR elsewhere: ${line}`)], helpless };
  }
  return { events: line.trim() === '' ? [] : [problem(line)], helpless };
}

function logEvents(level: string, message: string): readonly DriverEvent[] {
  const [, refused] = violation.exec(message) ?? [];
  if (refused !== undefined) return [denied('command_execution', refused)];
  const [, error] = toolError.exec(message) ?? [];
  if (error === undefined) return level === 'ERROR' ? [problem(message)] : [];
  // Any other is an answer to the agent, such as a patch that does not fit.
  if (!/\breject(?:ed)?\b/.test(error)) return [];
  return [denied(error.startsWith('patch') ? 'file_change' : 'command_execution', error)];
}

function denied(tool: string, reason: string): DriverEvent {
  return { type: 'denied', tool, reason: oneLine(reason, 1000) };
}

function problem(message: string): DriverEvent {
  return { type: 'problem', message: oneLine(message, 1000) };
}
