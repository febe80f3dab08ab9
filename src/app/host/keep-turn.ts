import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { isObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { resultText } from '../../drivers/result.ts';
import type { AgentDriver, DriverEvent, DriverReader, ProcessEnd } from '../../model/driver.ts';
import { stepIdOf } from '../../model/key.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { SessionSpec, TurnOutcome } from '../../model/turn.ts';
import { noteSession } from '../../runtime/session-log.ts';
import { changesSince } from '../../workspace/changes.ts';
import { listWorkspace, type WorkspaceFiles } from '../../workspace/workspace-files.ts';
import type { HostParts } from './host-parts.ts';
import { driverOfSession } from './reader.ts';

/** In the session's own folder: whoever reads the turn after a crash needs it too. */
const viewFile = 'workspace.json';
const maxBytes = 16 * 1024 * 1024;

/** For a driver that keeps its turns: how the workspace is before one. */
export async function viewBefore(driver: AgentDriver, spec: SessionSpec, dir: string): Promise<void> {
  if (driver.ended === undefined) return;
  replaceFile(join(dir, viewFile), JSON.stringify(await listWorkspace(spec.workspace)));
}

/** Of a turn that is about to be read. */
interface Keeper {
  /** The same reader, which also remembers what it read. */
  listening(reader: DriverReader): DriverReader;
  keep(kept: Kept): Promise<void>;
}

/** Null for a driver that keeps nothing, and for what a person does in an interface: only its hooks are told there. */
export function keeperOf(parts: HostParts, spec: SessionSpec): Keeper | null {
  const driver = spec.handoff.host === 'interactive' ? null : driverOfSession(parts, spec);
  const ended = driver?.ended?.bind(driver);
  if (ended === undefined) return null;
  const events: DriverEvent[] = [];
  return {
    listening: (reader) => ({
      ...reader,
      line: (line) => {
        const told = reader.line(line);
        events.push(...told);
        return told;
      },
    }),
    keep: (kept) => keepTurn(parts, ended, events, kept),
  };
}

interface Kept {
  readonly attempt: LaunchedAttempt;
  readonly spec: SessionSpec;
  readonly dir: string;
  readonly end: ProcessEnd;
  readonly turn: TurnOutcome;
}

/** Tells the driver of a turn that was read. A turn that was paid for counts also when it could not be kept. */
async function keepTurn(
  parts: HostParts,
  ended: NonNullable<AgentDriver['ended']>,
  events: readonly DriverEvent[],
  { attempt, spec, dir, end, turn }: Kept,
): Promise<void> {
  const result = resultText(join(dir, 'result.json'));
  let problem: string | null;
  try {
    const changes = changesSince(spec.workspace, storedView(dir), await listWorkspace(spec.workspace));
    problem = ended({
      spec,
      place: { sessionId: turn.sessionId, sessionDir: dir, projectDir: parts.paths.root },
      runId: attempt.runId,
      step: stepIdOf(attempt.key),
      attempt: attempt.attempt,
      end,
      stop: turn.stop,
      events,
      result: result.ok ? result.value : null,
      changes,
      at: parts.clock.wall(),
      redact: (text) => parts.redactor.text(text),
    });
  } catch (error) {
    problem = String(error);
  }
  if (problem !== null) noteSession(dir, ['WARN', `The turn was not kept: ${problem}`]);
}

/** The agent could write there too: what is no view of a workspace is none. */
function storedView(dir: string): WorkspaceFiles {
  const none = { whole: false, why: 'how the workspace was before is not known' } as const;
  const text = readText(join(dir, viewFile), { maxBytes, links: 'refuse' });
  try {
    const view: unknown = text.ok ? JSON.parse(text.value) : null;
    if (!isObject(view)) return none;
    const { whole, files, why } = view;
    if (whole !== true) return { whole: false, why: typeof why === 'string' ? why : none.why };
    if (!isObject(files)) return none;
    const marks = Object.entries(files).filter(
      (file): file is [string, string] => typeof file[1] === 'string',
    );
    return { whole: true, files: Object.fromEntries(marks) };
  } catch {
    return none;
  }
}
