import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { unreachable } from '../../lib/unreachable.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { type CassetteStop, type CassetteTurn, eventOf } from '../../model/schemas/cassette.ts';
import { usageOf } from '../../model/schemas/usage.ts';
import { brokenTurnExit } from './exit-codes.ts';
import { fillIn, fillInAll, type Variables } from './variables.ts';
import { deleteInWorkspace, makeExecutable, writeInWorkspace } from './workspace-file.ts';

/** Where a turn is played. */
export interface Stage {
  readonly workspace: string;
  /** Folders beside the workspace that the session was given: absolute paths may lead there too. */
  readonly addDirs: readonly string[];
  readonly resultPath: string;
  readonly variables: Variables;
  /** Environment for commands. */
  readonly env: NodeJS.ProcessEnv;
  emit(event: DriverEvent): void;
  /** Says that the agent of the turn tells no tools. */
  untold(): void;
  /** Says how the turn stopped, where its exit code alone would say something else. */
  stopped(stop: CassetteStop): void;
  now(): number;
  wait(durationMs: number): Promise<void>;
  /** Never resolves: the process is ended from outside. */
  hang(): Promise<never>;
  /** Ends the process as that signal does. */
  dieBy(signal: string): Promise<never>;
}

/** Plays one turn, always in this order, and gives the exit code. */
export async function play(turn: CassetteTurn, stage: Stage): Promise<number> {
  if (turn.delay_ms !== undefined) await stage.wait(turn.delay_ms);
  const done = work(turn, stage);
  if (!done.ok) {
    stage.emit({ type: 'problem', message: oneLine(done.error, 2000) });
    return brokenTurnExit;
  }
  speak(turn, stage);
  if (turn.hang === true) await stage.hang();
  if (turn.result !== undefined) writeResult(fillInAll(turn.result, stage.variables), stage.resultPath);
  const stop = turn.stop ?? (turn.limit === undefined ? undefined : 'limit');
  if (stop !== undefined) stage.stopped(stop);
  if (turn.signal !== undefined) await stage.dieBy(turn.signal);
  return turn.exit ?? (turn.limit === undefined ? 0 : 1);
}

function work(turn: CassetteTurn, stage: Stage): Result<null, string> {
  const fill = (text: string): string => fillIn(text, stage.variables);
  for (const done of fileWork(turn, stage, fill)) {
    if (!done.ok) return done;
  }
  for (const command of turn.commands ?? []) {
    const { command: argv, may_fail: mayFail } =
      'command' in command ? command : { command, may_fail: false };
    const [program, ...rest] = argv;
    const run = runProgram([fill(program), ...rest.map(fill)], { cwd: stage.workspace, env: stage.env });
    if (!run.ok && !mayFail) return err(`a command of the cassette failed: ${run.error}`);
  }
  return ok(null);
}

/** Removing comes first: a file may stand where a folder was, and the other way round. */
function* fileWork(
  turn: CassetteTurn,
  stage: Pick<Stage, 'workspace' | 'addDirs'>,
  fill: (text: string) => string,
): Generator<Result<null, string>> {
  const at = (written: string): readonly [root: string, path: string] => {
    const path = fill(written);
    const given = isAbsolute(path) ? stage.addDirs.find((dir) => isWithin(dir, resolve(path))) : undefined;
    return [given ?? stage.workspace, path];
  };
  for (const path of turn.delete ?? []) yield deleteInWorkspace(...at(path));
  for (const [path, content] of Object.entries(turn.files ?? {})) {
    yield writeInWorkspace(...at(path), fill(content), 'replace');
  }
  for (const [path, content] of Object.entries(turn.append ?? {})) {
    yield writeInWorkspace(...at(path), fill(content), 'append');
  }
  for (const [path, content] of Object.entries(turn.bytes ?? {})) {
    yield writeInWorkspace(...at(path), Buffer.from(content, 'base64'), 'replace');
  }
  for (const path of turn.executable ?? []) yield makeExecutable(...at(path));
}

/** Runs a command of a cassette without a shell or input. The error is one sentence with the end of the output. */
function runProgram(
  argv: readonly [string, ...string[]],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Result<null, string> {
  const [program, ...rest] = argv;
  const run = spawnSync(program, rest, {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (run.error !== undefined) return err(run.error.message);
  if (run.status === 0) return ok(null);
  const how =
    run.status === null ? `was ended by ${run.signal ?? 'a signal'}` : `ended with exit code ${run.status}`;
  return err(`${argv.join(' ')} ${how}: ${`${run.stdout}${run.stderr}`.trim().slice(-500)}`);
}

function speak(turn: CassetteTurn, stage: Stage): void {
  if (turn.tells_tools === false) stage.untold();
  const fill = (text: string): string => fillIn(text, stage.variables);
  if (turn.text !== undefined) stage.emit({ type: 'text', text: fill(turn.text) });
  for (const { name, target = '' } of turn.tools ?? []) {
    stage.emit({ type: 'tool', name: fill(name), target: fill(target) });
  }
  if (turn.usage !== undefined) stage.emit({ type: 'usage', usage: usageOf(turn.usage) });
  const limit = turn.limit === undefined ? [] : [{ limit: turn.limit }];
  for (const event of [...(turn.events ?? []), ...limit]) {
    stage.emit(filledEvent(eventOf(event, stage.now()), stage.variables));
  }
}

function filledEvent(event: DriverEvent, variables: Variables): DriverEvent {
  const fill = (text: string): string => fillIn(text, variables);
  switch (event.type) {
    case 'text':
      return { ...event, text: fill(event.text) };
    case 'tool':
      return { ...event, name: fill(event.name), target: fill(event.target) };
    case 'tool-failed':
      return { ...event, target: fill(event.target), reason: fill(event.reason) };
    case 'files':
      return { ...event, paths: event.paths.map(fill) };
    case 'waiting':
      return { ...event, why: fill(event.why) };
    case 'retrying':
    case 'sign-in':
    case 'blocked':
      return { ...event, reason: fill(event.reason) };
    case 'denied': {
      const on = event.target === undefined ? {} : { target: fill(event.target) };
      return { ...event, ...on, reason: fill(event.reason) };
    }
    case 'problem':
      return { ...event, message: fill(event.message) };
    case 'conversation':
    case 'answered':
    case 'limit':
    case 'usage':
      return event;
    default:
      return unreachable(event);
  }
}

/** A text is written as it is, so that a cassette can also play an agent that writes nonsense. */
function writeResult(result: unknown, path: string): void {
  writeFileSync(path, typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`);
}
