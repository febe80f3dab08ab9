import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import { cannotRun, describeNotRun } from '../../model/command.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';
import type { OnCommit } from '../../model/plan/base-check.ts';
import { leftOutCommand } from '../../model/plan/acceptance.ts';
import { runsCommand } from '../../model/plan/validate-criteria.ts';
import { closed } from '../../model/question.ts';

/** A command that did not pass. */
export interface FailedCommand {
  readonly command: string;
  readonly exitCode: number | null;
  readonly output: string;
  /** The command prepares the checkout. */
  readonly isSetup?: boolean;
  /** The commit without the work that is judged; null: there is no work yet. */
  readonly base: string | null;
}

/** Why a command cannot pass, independent of the work; `command` is the part that it is about. */
export interface CommandTrouble {
  readonly command: string;
  readonly why: string;
  readonly output: string;
  /** Whether an agent has worked already, so that a person may hand the failure back to it. */
  readonly hasWork: boolean;
}

/** `again`: run it again. `without`: judge without it. `agent`: it is the agent's failure after all. `fail`: the task fails. */
export type TroubleAnswer = 'again' | 'without' | 'agent' | 'fail';

/** Before parts of tasks that have not begun. */
const priority = 1_000_000;

/**
 * Commands whose failure is never the agent's, for all tasks of a run: a command that cannot be run, and a command of the setup
 * or of the project that fails without the task's work too. A person is asked once about each, by the task that meets it first.
 */
export class CommandTroubles {
  readonly #input: ExecuteInput;
  readonly #without: Set<string>;
  readonly #onBase = new Map<string, Promise<OnCommit>>();
  readonly #answers = new Map<string, Promise<TroubleAnswer>>();

  constructor(input: ExecuteInput) {
    this.#input = input;
    this.#without = new Set(input.without ?? []);
  }

  /** Commands that nothing is judged by. */
  get without(): readonly string[] {
    return [...this.#without].toSorted();
  }

  /** The command that is left out and that this one would run; null: it counts. */
  leftOut(verification: string): string | null {
    return leftOutCommand(this.without, { verification });
  }

  /** Null: the work may well be the reason. */
  async of(
    ctx: Ctx,
    { command, exitCode, output, isSetup = false, base }: FailedCommand,
  ): Promise<CommandTrouble | null> {
    const hasWork = base !== null;
    if (cannotRun(exitCode)) {
      return { command, why: `\`${command}\` ${describeNotRun(exitCode, output)}`, output, hasWork };
    }
    if (base === null) return { command, why: `\`${command}\` fails before any work`, output, hasWork };
    for (const own of isSetup ? [command] : this.#projectCommandsIn(command)) {
      const end = await this.#runOnBase(ctx, { command: own, isSetup }, base);
      if (!end.passed) {
        const why = `\`${end.command}\` fails without the task's work too`;
        return { command: end.command, why, output: end.output, hasWork };
      }
    }
    return null;
  }

  #projectCommandsIn(command: string): readonly string[] {
    return (this.#input.projectCommands ?? []).filter((own) => runsCommand(command, own));
  }

  #runOnBase(
    ctx: Ctx,
    { command, isSetup }: { readonly command: string; readonly isSetup: boolean },
    commit: string,
  ): Promise<OnCommit> {
    const { target, projectDir, acceptanceTimeoutMs: timeoutMs } = this.#input;
    const known = this.#onBase.get(`${commit} ${command}`);
    if (known !== undefined) return known;
    const key = keyOf(isSetup ? 'plan/setup-on-base' : 'plan/on-base', { commit, command });
    const started = ctx.operation(
      key,
      'plan-on-base',
      { target, commit, command, isSetup, timeoutMs, without: this.without },
      { workspace: projectDir, priority },
    );
    this.#onBase.set(`${commit} ${command}`, started);
    return started;
  }

  /** Asks a person, once for all tasks. An answer `fail` holds for one attempt: tasks that are tried again ask again. */
  async ask(
    ctx: Ctx,
    trouble: CommandTrouble,
    about: { readonly step: string; readonly attempt: number; readonly round: number },
  ): Promise<TroubleAnswer> {
    const { command, hasWork } = trouble;
    const { step, attempt, round } = about;
    const id = `plan/${hasWork ? 'command' : 'setup'}-${round}`;
    const first = await this.#askOnce(ctx, keyOf(id, { command }), trouble, step);
    return first === 'fail' && attempt > 1
      ? this.#askOnce(ctx, keyOf(id, { command, attempt }), trouble, step)
      : first;
  }

  #askOnce(ctx: Ctx, key: string, trouble: CommandTrouble, step: string): Promise<TroubleAnswer> {
    const known = this.#answers.get(key) ?? this.#answered(ctx, key, trouble, step);
    this.#answers.set(key, known);
    return known;
  }

  async #answered(ctx: Ctx, key: string, trouble: CommandTrouble, step: string): Promise<TroubleAnswer> {
    const said = await answered(ctx, key, trouble, step);
    if (said !== 'without') return said;
    this.#without.add(trouble.command);
    const { plan, projectDir } = this.#input;
    const args = { plan, without: this.without };
    const told = { workspace: projectDir, priority };
    await ctx.operation(keyOf('plan/waived', { question: key }), 'plan-waived', args, told);
    return said;
  }
}

async function answered(
  ctx: Ctx,
  key: string,
  { why, command, output, hasWork }: CommandTrouble,
  step: string,
): Promise<TroubleAnswer> {
  const { text } = await ctx.ask(key, {
    text:
      `${step}: ${why}, so it says nothing about the agent's work. ` +
      `Run it again (after you fixed the cause), continue without it, ` +
      `${hasWork ? 'let the agent try, ' : ''}or fail the task? The answer holds for every task that meets it.`,
    options: ['again', 'without', ...(hasWork ? ['agent'] : []), 'fail'],
    closed,
    evidence: { command, output },
    step,
  });
  const word = text.trim().toLowerCase();
  return word === 'again' || word === 'without' || (word === 'agent' && hasWork) ? word : 'fail';
}
