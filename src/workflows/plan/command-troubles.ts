import type { Ctx } from '../../kernel/ctx.ts';
import { plain, recorded } from '../../lib/json.ts';
import { keyOf } from '../../model/key.ts';
import { cannotRun } from '../../model/command.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';
import type { OnCommit } from '../../model/plan/base-check.ts';
import { runsCommand } from '../../model/plan/validate-criteria.ts';
import { closed } from '../../model/question.ts';

/** A command that did not pass, as whoever ran it saw it. */
export interface FailedCommand {
  readonly command: string;
  readonly exitCode: number | null;
  readonly output: string;
  /** The commit without the work that is judged. */
  readonly base: string;
}

/** What keeps a command from passing, whoever did the work; `command` is the part that it is about. */
export interface CommandTrouble {
  readonly command: string;
  readonly why: string;
  readonly output: string;
}

/** `again`: run it again. `without`: judge without it. `agent`: it is the agent's failure after all. `fail`: the task fails. */
export type TroubleAnswer = 'again' | 'without' | 'agent' | 'fail';

/** Before parts of tasks that have not begun. */
const priority = 1_000_000;

/**
 * Commands whose failure is never the agent's, for all tasks of a run: one that cannot be run, and one of the project's own
 * that fails without the task's work too. A person is asked once about each, whichever task meets it first.
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
    return this.without.find((command) => runsCommand(verification, command)) ?? null;
  }

  /** Null: the work may well be the reason. */
  async of(ctx: Ctx, { command, exitCode, output, base }: FailedCommand): Promise<CommandTrouble | null> {
    if (cannotRun(exitCode)) {
      return { command, why: `\`${command}\` cannot be run here (exit code ${exitCode})`, output };
    }
    for (const own of this.#input.projectCommands ?? []) {
      if (!runsCommand(command, own)) continue;
      const end = await this.#runOnBase(ctx, own, base);
      if (!end.passed) {
        return { command: own, why: `\`${own}\` fails without the task's work too`, output: end.output };
      }
    }
    return null;
  }

  #runOnBase(ctx: Ctx, command: string, commit: string): Promise<OnCommit> {
    const { target, projectDir, acceptanceTimeoutMs: timeoutMs } = this.#input;
    const known = this.#onBase.get(`${commit} ${command}`);
    if (known !== undefined) return known;
    const key = keyOf('plan/on-base', { commit, command });
    const args = plain({ target, commit, command, timeoutMs });
    const run = async (): Promise<OnCommit> => {
      const { value } = await ctx.task(key, 'command-on-commit', args, { workspace: projectDir, priority });
      return recorded<OnCommit>(value);
    };
    const started = run();
    this.#onBase.set(`${commit} ${command}`, started);
    return started;
  }

  /** What a person says about it. An answer `fail` holds for first attempts: who tries a task again is asked again. */
  async ask(
    ctx: Ctx,
    { command, why, output }: CommandTrouble,
    about: { readonly step: string; readonly attempt: number; readonly round: number },
  ): Promise<TroubleAnswer> {
    const { step, attempt, round } = about;
    const question = { why, command, output, step };
    const shared = `${round} ${command}`;
    const known =
      this.#answers.get(shared) ?? answered(ctx, keyOf(`plan/command-${round}`, { command }), question);
    this.#answers.set(shared, known);
    const first = await known;
    const said =
      first === 'fail' && attempt > 1
        ? await answered(ctx, keyOf(`${step}/command-${round}`, { command, attempt }), question)
        : first;
    if (said === 'without') this.#without.add(command);
    return said;
  }
}

async function answered(
  ctx: Ctx,
  key: string,
  { why, command, output, step }: CommandTrouble & { readonly step: string },
): Promise<TroubleAnswer> {
  const { text } = await ctx.ask(key, {
    text:
      `${step}: ${why}, so it says nothing about the agent's work. ` +
      `Run it again (after you fixed the cause), continue without it, let the agent try, or fail the task?`,
    options: ['again', 'without', 'agent', 'fail'],
    closed,
    evidence: { command, output },
    step,
  });
  const word = text.trim().toLowerCase();
  return word === 'again' || word === 'without' || word === 'agent' ? word : 'fail';
}
