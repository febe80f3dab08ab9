import type { Json } from '../lib/json.ts';
import type { Budget } from '../model/budget.ts';
import type { Failure } from '../model/failure.ts';
import { stepIdOf } from '../model/key.ts';
import type { OperationArgs, OperationName, OperationResult } from '../model/operations.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Outline } from '../model/outline.ts';
import type { RunEnd } from '../model/ports/store.ts';
import type { Answer, AnsweredQuestion, Question } from '../model/question.ts';
import type { RecordedTurn, SessionSpec, TurnOutcome } from '../model/turn.ts';

interface Attempt {
  readonly id: string;
  readonly number: number;
  readonly signal: AbortSignal;
}

export interface StepPolicy<T> {
  /** Further tries after a failure; a failing step never restarts its siblings. */
  readonly retries?: number;
  readonly backoffMs?: number;
  /** Runs even after the run was cancelled: the only way to clean up. */
  readonly always?: boolean;
  /** How people should read the value. */
  readonly outcome?: (value: T) => Outcome;
}

export interface OperationOptions {
  /** The directory the operation is bound to: it runs on the host that has it. */
  readonly workspace: string;
  readonly priority?: number;
  readonly timeoutMs?: number | null;
  /** More of the same step follows at once: its slot is kept for that, and no other step begins in between. */
  readonly goesOn?: boolean;
}

/**
 * What workflow code may do. The rules that make it durable:
 * every call has a key, unique in the run, made of ids and content and never of arrival order;
 * nothing but these calls is awaited; a waiting function may be abandoned and started again from the top, so no
 * lock or handle is held across an await, and `finally` is not clean-up (a step with `always` is); values are JSON.
 */
export interface Ctx {
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Short, idempotent, recorded once; runs in the process that advances the run. */
  step<T extends Json>(
    key: string,
    fn: (attempt: Attempt) => Promise<T> | T,
    policy?: StepPolicy<T>,
  ): Promise<T>;
  /**
   * Something that the machine does: a command, a gate, a merge, anything in a workspace. The table of operations types its
   * arguments and its result. A bad end is a result like any other.
   */
  operation<Name extends OperationName>(
    key: string,
    name: Name,
    args: OperationArgs<Name>,
    options: OperationOptions,
  ): Promise<OperationResult<Name>>;
  /** One agent turn. */
  session(key: string, spec: SessionSpec): Promise<TurnOutcome>;
  /**
   * Turns of the same part that earlier lives of the run recorded under other keys, the newest first. None while the key
   * itself is recorded: then nothing has to be looked for.
   */
  turnsBeside(key: string): Promise<readonly RecordedTurn[]>;
  /** Waits for a person, for days if need be. An answer that came first is never lost. */
  ask(key: string, question: Question): Promise<Answer>;
  /**
   * What people have answered to agents of this step, in any life of the run, in the order of asking. For prompts only: it
   * grows while the function runs, so no key and no decision may contain it.
   */
  answers(step: string): readonly AnsweredQuestion[];
  sleep(key: string, ms: number): Promise<void>;
  now(key: string): Promise<number>;
  budget(key: string): Promise<Budget>;
  /** A run of its own below this one. However it ends is a result like any other. */
  child(key: string, workflow: string, input: Json): Promise<RunEnd>;
  /** Settles every part, then throws the first failure by index. */
  all<T>(parts: readonly ((ctx: Ctx) => Promise<T>)[]): Promise<T[]>;
  /** Records its winner by name and ends what the losers started. */
  race<T>(key: string, parts: Readonly<Record<string, (ctx: Ctx) => Promise<T>>>): Promise<T>;
  /** Travels with the next write; a replay does not tell it twice. */
  emit(key: string, name: string, data: Json): void;
}

export interface Workflow extends Outline {
  readonly name: string;
  /** Not a promise of a value of its own: what it returns becomes the run's value, `end` says how people read it. */
  run(ctx: Ctx, input: Json): Promise<Json>;
  end?(value: Json): { readonly outcome: Outcome; readonly message: string | null };
  /** First parts of step ids that belong to the run as a whole and to no step of the outline. */
  readonly beside?: readonly string[];
}

/** Thrown at the next wait after the run was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  constructor() {
    super('the run was cancelled');
  }
}

/** A step that failed for good. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly key: string;
  readonly failure: Failure;
  constructor(key: string, failure: Failure) {
    super(`${stepIdOf(key)}: ${failure.message}`);
    this.key = key;
    this.failure = failure;
  }
}

/** Workflow code broke one of the rules above; the message says which. */
export class RuleBroken extends Error {
  override readonly name = 'RuleBroken';
}
