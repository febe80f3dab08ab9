import type { Ctx } from '../../kernel/ctx.ts';
import { type CallPlace, workspaceOfCall } from '../../model/compose/call-place.ts';
import { keyOf } from '../../model/key.ts';
import type { FilesRecord, OperationArgs, OperationResult } from '../../model/operations.ts';
import type { TurnOutcome } from '../../model/turn.ts';

/** A call whose files are traced. */
interface TracedCall {
  readonly id: string;
  readonly place: CallPlace;
  readonly priority: number;
}

/**
 * The files that the turns of one call change in the project. What changes between two turns, such as by the commands of gates, is not
 * the call's doing.
 */
export class TracedFiles {
  readonly #ctx: Ctx;
  readonly #call: TracedCall;
  readonly #before: FilesRecord;
  readonly #looks = new Map<string, Promise<FilesRecord>>();
  /** Changed by a turn, at whatever time. */
  readonly #touched = new Set<string>();
  /** Changed by a person or another agent, perhaps: while no turn was at work, or while both were. */
  readonly #unsure = new Set<string>();
  /** What is different now from what it was before the first turn. */
  #differs: readonly string[] = [];
  #base: FilesRecord;

  private constructor(ctx: Ctx, call: TracedCall, before: FilesRecord) {
    this.#ctx = ctx;
    this.#call = call;
    this.#before = before;
    this.#base = before;
  }

  /** Records what the files are like before the first turn. */
  static async begin(ctx: Ctx, call: TracedCall, key: string): Promise<TracedFiles> {
    return new TracedFiles(
      ctx,
      call,
      await record(ctx, call, { key, moment: 'before', since: null, first: null, named: [] }),
    );
  }

  /** Every file that the turns changed and did not change back, as far as they were looked at. */
  get written(): readonly string[] {
    return this.#differs.filter((path) => this.#touched.has(path));
  }

  /** Those of them that only the call can have changed: these are blamed on it, and put back. */
  get own(): readonly string[] {
    return this.written.filter((path) => !this.#unsure.has(path));
  }

  /** Looks at the files after a turn, once. */
  look({ result }: TurnOutcome, after: string): Promise<FilesRecord> {
    const known = this.#looks.get(after);
    if (known !== undefined) return known;
    const key = keyOf(`${this.#call.id}/files`, { after });
    const named = result?.artifacts ?? [];
    const look = record(this.#ctx, this.#call, {
      key,
      moment: 'after',
      since: this.#base,
      first: this.#before.commit,
      named,
    }).then((found) => {
      for (const path of found.changed) this.#touched.add(path);
      for (const path of found.unsure ?? []) this.#unsure.add(path);
      this.#differs = found.differs;
      return found;
    });
    this.#looks.set(after, look);
    return look;
  }

  /** Digest of what a failed turn left. `others`: something else may have written since the look at its files. */
  async digestAfter(ended: TurnOutcome, after: string, others: boolean): Promise<string> {
    const found = await this.look(ended, after);
    this.#base = others ? await this.#recordNow(after) : found;
    return found.tree;
  }

  #recordNow(after: string): Promise<FilesRecord> {
    const key = keyOf(`${this.#call.id}/next`, { after });
    return record(this.#ctx, this.#call, { key, moment: 'next', since: null, first: null, named: [] });
  }

  /** Makes these files what they were before the first turn, and keeps what they are now. */
  putBack(files: readonly string[], after: string): Promise<OperationResult<'files-restore'>> {
    const { commit } = this.#before;
    const key = keyOf(`${this.#call.id}/put-back`, { after });
    return this.#ctx.operation(key, 'files-restore', { commit, files }, optionsOf(this.#call));
  }
}

interface RecordWish extends Pick<OperationArgs<'files-record'>, 'moment' | 'first' | 'named'> {
  readonly key: string;
  readonly since: FilesRecord | null;
}

function record(ctx: Ctx, call: TracedCall, { key, since, ...wish }: RecordWish): Promise<FilesRecord> {
  const compared = since === null ? null : { commit: since.commit, at: since.at };
  return ctx.operation(key, 'files-record', { of: call.id, since: compared, ...wish }, optionsOf(call));
}

function optionsOf({ place, priority }: TracedCall) {
  return { workspace: workspaceOfCall(place), priority };
}
