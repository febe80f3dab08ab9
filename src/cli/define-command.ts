import { type BaseArgs, buildCommand, type Command, type TypedCommandParameters } from '@stricli/core';
import { exitCodeOf, type Outcome } from '../model/outcome.ts';
import type { Context } from './context.ts';
import { type ShownFlags, withArguments, withNegations, withValues } from './help/command-help.ts';

/** A command line to copy, and what it does. */
export type Example = readonly [line: string, does: string];

/** Stricli's own constraint, which an interface meets. */
type AnyFlags<FLAGS> = Readonly<Partial<Record<keyof FLAGS, unknown>>>;

interface CommandDefinition<FLAGS extends AnyFlags<FLAGS>, ARGS extends BaseArgs> {
  /** Only looks: the database it opens takes no change. */
  readonly reads: boolean;
  /** Whether it continues to look while others change the project; absent: it shows one state of it. */
  readonly follows?: (flags: FLAGS) => boolean;
  readonly parameters: TypedCommandParameters<FLAGS, ARGS, Context>;
  /** Arguments as USAGE shows them, for a list whose elements differ or that may be empty; stricli shows `<ID>...` for any list. */
  readonly usage?: string;
  /** Rows of ARGUMENTS for such a list: what each element is. */
  readonly arguments?: readonly Example[];
  /** Help below the summary. */
  readonly about: string;
  readonly examples: readonly Example[];
  readonly run: (flags: FLAGS, context: Context, ...args: ARGS) => Outcome | Promise<Outcome>;
}

/** A command that says whether it only looks. */
interface TuttiCommand extends Command<Context> {
  readonly reads: boolean;
}

/** Builds the command with its summary, which stands in the table of commands. */
export type CommandBuilder = (summary: string) => TuttiCommand;

/** A command as stricli wants it: the outcome becomes the exit code, and its help ends with examples. */
export function defineCommand<FLAGS extends AnyFlags<FLAGS>, const ARGS extends BaseArgs>(
  definition: CommandDefinition<FLAGS, ARGS>,
): CommandBuilder {
  const { run, reads, follows, parameters, usage, about, examples } = definition;
  const shown: ShownFlags = parameters.flags ?? {};
  const withUsage = (text: string) =>
    withNegations(usage === undefined ? text : text.replace(/<[^<>]*>\.\.\.$/m, usage), shown);
  const help = (text: string) =>
    withArguments(withValues(withUsage(withoutDefaults(text)), shown), definition.arguments ?? []);
  return (summary) => {
    const built = buildCommand<FLAGS, ARGS, Context>({
      func: async function (this: Context, flags: FLAGS, ...args: ARGS): Promise<void> {
        await this.leaveForeignPrograms?.();
        this.process.exitCode = exitCodeOf(
          await run(flags, { ...this, reads, pinned: reads && follows?.(flags) !== true }, ...args),
        );
      },
      parameters,
      docs: { brief: summary, fullDescription: `${summary}.\n${about}` },
    });
    return {
      ...built,
      reads,
      formatUsageLine: (args) => withUsage(built.formatUsageLine(args)),
      formatHelp: (args) => `${help(built.formatHelp(args))}\n${examplesText(examples)}`,
    };
  };
}

/** That an option is off unless it is given needs no saying. */
function withoutDefaults(help: string): string {
  return help.replaceAll(/ +\[default = false\]/g, '');
}

export function examplesText(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  return ['EXAMPLES', ...examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`), ''].join('\n');
}

/** An option that is off unless it is given. */
export function switchFlag(brief: string) {
  return { kind: 'boolean', brief, default: false, withNegated: false } as const;
}

export const reasonFlag = {
  kind: 'parsed',
  parse: String,
  brief: 'Reason, for the record',
  placeholder: 'TEXT',
  optional: true,
} as const;

/** On every command. */
export const jsonFlag = switchFlag('Print JSON');

export interface JsonFlag {
  readonly json: boolean;
}

/** On every command that starts agents or commands. */
export const trustFlag = {
  kind: 'boolean',
  brief: "Trust this repository's current settings and commands, or ignore them",
  optional: true,
} as const;

export interface TrustFlag {
  /** `--trust`: trust the repository's settings and commands. `--no-trust`: ignore them. Neither: ask, or refuse. */
  readonly trust?: boolean;
}
