import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { plain, recorded } from '../../lib/json.ts';
import { probe } from '../../lib/probe.ts';
import { assembleTurn } from '../../drivers/assemble-turn.ts';
import { commandReader } from '../../drivers/command/parse.ts';
import { driverOf, readyDriver } from '../../drivers/registry.ts';
import type { AgentDriver, DriverReader, LaunchPlan } from '../../model/driver.ts';
import type { Failure } from '../../model/failure.ts';
import type { AttemptEnd, LaunchedAttempt } from '../../model/ports/host.ts';
import type { SessionEnd } from '../../model/session.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { unknownUsage } from '../../model/usage.ts';
import { childEnvironment } from '../../runtime/environment.ts';
import { adopt, launch } from '../../runtime/launcher.ts';
import type { RecordedEnd } from '../../runtime/recorded-end.ts';
import type { HostParts } from './host-parts.ts';
import { logLines } from './log-file.ts';
import { folderOf, markOf, placeOf, timeLeftMs } from './place.ts';
import { readSessionResult } from './session-result.ts';
import { Starting } from './starting.ts';
import { endOfState, noteCreated, stateOf } from './session-files.ts';

/** One agent turn: write what it needs, run it, read what it left. Reading again gives the same. */
export async function runSession(
  parts: HostParts,
  attempt: LaunchedAttempt,
  how: 'launch' | 'adopt',
  began: () => void,
): Promise<AttemptEnd> {
  const spec = recorded<SessionSpec>(attempt.spec);
  const paths = { projectDir: parts.paths.root, searchPath: parts.env['PATH'] ?? '' };
  const dir = folderOf(parts, attempt);
  let end: RecordedEnd | 'lost';
  if (how === 'launch') {
    const driver = readyDriver(spec.driver, parts.config, paths);
    if (!driver.ok) return refused(driver.error);
    makePrivateFolder(dir);
    probe('session:folder');
    end = await start(parts, attempt, spec, driver.value, dir, began);
  } else {
    makePrivateFolder(dir);
    end = await adopt(dir, markOf(parts, attempt), began);
  }
  probe('session:ended');
  if (end === 'lost') {
    const lost: SessionEnd = { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage };
    return { completion: { at: 'lost' }, session: lost };
  }
  // A driver that left the configuration meanwhile cannot take a paid turn with it: its output is then read as text.
  const driver = driverOf(spec.driver, parts.config, paths);
  return read(attempt, spec, driver.ok ? driver.value.reader() : commandReader(), dir, end);
}

async function start(
  parts: HostParts,
  attempt: LaunchedAttempt,
  spec: SessionSpec,
  driver: AgentDriver,
  dir: string,
  began: () => void,
): Promise<RecordedEnd | 'lost'> {
  const sessionId = attempt.sessionId ?? '';
  const plan: LaunchPlan = driver.plan(spec, { sessionId, sessionDir: dir, projectDir: parts.paths.root });
  const stdinFile = join(dir, 'stdin');
  const result = join(dir, 'result.json');
  writeFileSync(join(dir, 'prompt.md'), spec.prompt, { mode: 0o600 });
  writeFileSync(stdinFile, plan.stdin, { mode: 0o600 });
  noteCreated(dir, sessionId, spec);
  probe('session:files');
  const createdAt = parts.queries.sessions.one(sessionId)?.createdAt ?? parts.clock.wall();
  const session = { ...attempt, id: sessionId, createdAt };
  const { agent, tier, turn, workspace } = spec;
  using starting = new Starting(parts.clock, dir, began);
  return await launch(
    {
      dir,
      marker: markOf(parts, attempt),
      argv: plan.argv,
      cwd: workspace,
      env: childEnvironment({
        parent: parts.env,
        names: parts.config.env,
        extra: plan.env,
        place: placeOf(parts, attempt, workspace, { id: sessionId, dir, turn, agent, tier, result }),
      }),
      stdinFile,
      logFile: join(dir, 'output.log'),
      timeoutMs: timeLeftMs(attempt, Date.now()),
      launcher: plan.launcher,
      limits: parts.config.limits,
      session: stateOf({ session, spec, dir, tmux: parts.config.tmux }),
    },
    {
      began: () => {
        starting.watch();
      },
    },
  );
}

function read(
  attempt: LaunchedAttempt,
  spec: SessionSpec,
  reader: DriverReader,
  dir: string,
  end: RecordedEnd,
): AttemptEnd {
  const turn = assembleTurn({
    spec,
    sessionId: attempt.sessionId ?? '',
    end,
    lines: logLines(join(dir, 'output.log')),
    reader,
    result: readSessionResult(join(dir, 'result.json'), spec),
  });
  const session = endOfState(dir, end, turn);
  return { completion: { at: 'done', outcome: turn.outcome, value: plain(turn) }, session };
}

function refused(failure: Failure): AttemptEnd {
  return {
    completion: { at: 'failed', failure },
    session: { status: 'FAILED', exitCode: null, outcome: failure.outcome, usage: unknownUsage },
  };
}
