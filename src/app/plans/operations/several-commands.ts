import { existsSync } from 'node:fs';
import { type CommandEnd, judgeCommand, type NoEnd } from '../../../model/command.ts';
import { fileOf, files } from '../../../runtime/attempt-files.ts';
import { endAttempt } from '../../../runtime/follow.ts';
import { attemptRunner, type Command } from '../../host/command.ts';
import { folderOf, markOf } from '../../host/attempt-folder.ts';
import type { OperationContext } from '../../host/operation-call.ts';

interface LastCommand {
  readonly argv: readonly string[];
  /** Null: it has no result. */
  readonly end: CommandEnd | null;
}

/**
 * Commands of an operation that has more to do than to run one. Each is a process that can be ended like any other. After a
 * crash the operation is done over: what its former life left running is ended first.
 */
export class SeveralCommands {
  readonly #context: OperationContext;
  #count = 0;
  #noEnd: NoEnd | null = null;
  #last: LastCommand | null = null;

  private constructor(context: OperationContext) {
    this.#context = context;
  }

  static async of(context: OperationContext): Promise<SeveralCommands> {
    if (context.how === 'adopt') await endAttempt(markOf(context.parts, context.attempt), null, null);
    return new SeveralCommands(context);
  }

  /** One of them was ended, or vanished: whatever the operation would return now is no result. */
  get noEnd(): NoEnd | null {
    return this.#context.signal.aborted ? 'killed' : this.#noEnd;
  }

  /** The one that ended last, for whoever sees only the complaint about it. */
  get last(): LastCommand | null {
    return this.#last;
  }

  readonly run = async (command: Command): Promise<CommandEnd | NoEnd> => {
    if (this.noEnd !== null) return this.noEnd;
    const end = await attemptRunner({ ...this.#context, how: 'launch' }, this.#nextPart())(command);
    if (typeof end === 'string') this.#noEnd = end;
    this.#last = { argv: command.argv, end: typeof end === 'string' ? null : end };
    return end;
  };

  /** In one place one process is ever started, so an operation that is done over needs places of its own. */
  #nextPart(): string {
    const place = folderOf(this.#context.parts, this.#context.attempt);
    do this.#count += 1;
    while (existsSync(fileOf(`${place}${this.#count}.`, files.started)));
    return String(this.#count);
  }
}

/** Null when it passed, else how it ended, to be read after its name, and what it printed. */
export function complaintOf(end: CommandEnd | NoEnd): string | null {
  if (typeof end === 'string') return 'was killed';
  const { problem, words } = judgeCommand(end);
  return problem === null ? null : `${words}\n${end.outputTail}`;
}
