import { writeFileSync } from 'node:fs';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import type { CassetteTurn } from '../../model/schemas/cassette.ts';
import { usageOf } from '../../model/schemas/usage.ts';
import { brokenTurnExit } from './exit-codes.ts';
import { runProgram } from './run-program.ts';
import { fillIn, fillInAll, type Variables } from './variables.ts';
import { writeInWorkspace } from './workspace-file.ts';

/** Where a turn is played. */
export interface Stage {
  readonly workspace: string;
  readonly resultPath: string;
  readonly variables: Variables;
  /** Environment for commands. */
  readonly env: NodeJS.ProcessEnv;
  emit(event: DriverEvent): void;
  wait(durationMs: number): Promise<void>;
  /** Never resolves: the process is ended from outside. */
  hang(): Promise<never>;
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
  return turn.exit ?? 0;
}

function work(turn: CassetteTurn, stage: Stage): Result<null, string> {
  const fill = (text: string): string => fillIn(text, stage.variables);
  for (const how of ['replace', 'append'] as const) {
    const contents = (how === 'replace' ? turn.files : turn.append) ?? {};
    for (const [path, content] of Object.entries(contents)) {
      const written = writeInWorkspace(stage.workspace, fill(path), fill(content), how);
      if (!written.ok) return written;
    }
  }
  for (const command of turn.commands ?? []) {
    const { command: argv, may_fail: mayFail } =
      'command' in command ? command : { command, may_fail: false };
    const [program, ...rest] = argv;
    const run = runProgram([fill(program), ...rest.map(fill)], { cwd: stage.workspace, env: stage.env });
    if (!run.ended && !mayFail) return err(`a command of the cassette failed: ${run.why}`);
  }
  return ok(null);
}

function speak(turn: CassetteTurn, stage: Stage): void {
  const fill = (text: string): string => fillIn(text, stage.variables);
  if (turn.text !== undefined) stage.emit({ type: 'text', text: fill(turn.text) });
  for (const { name, target = '' } of turn.tools ?? []) {
    stage.emit({ type: 'tool', name: fill(name), target: fill(target) });
  }
  if (turn.usage !== undefined) stage.emit({ type: 'usage', usage: usageOf(turn.usage) });
}

/** A text is written as it is, so that a cassette can also play an agent that writes nonsense. */
function writeResult(result: unknown, path: string): void {
  writeFileSync(path, typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`);
}
