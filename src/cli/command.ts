import { type BaseArgs, buildCommand, type Command, type TypedCommandParameters } from '@stricli/core';
import { exitCodeOf, type Outcome } from '../model/outcome.ts';
import type { Context } from './context.ts';

/** A command line to copy, and what it does. */
export type Example = readonly [line: string, does: string];

/** Stricli's own constraint, which an interface meets. */
type AnyFlags<FLAGS> = Readonly<Partial<Record<keyof FLAGS, unknown>>>;

export interface CommandDefinition<FLAGS extends AnyFlags<FLAGS>, ARGS extends BaseArgs> {
  /** Arrives only when the command is really run, so that help and errors load nothing else. */
  readonly load: () => Promise<Body<FLAGS, ARGS>>;
  /** Only looks: the database it opens takes no change. */
  readonly reads: boolean;
  readonly parameters: TypedCommandParameters<FLAGS, ARGS, Context>;
  /** One line for the overview, without a full stop. */
  readonly brief: string;
  readonly about: string;
  readonly examples: readonly Example[];
}

type Body<FLAGS, ARGS extends BaseArgs> = (
  flags: FLAGS,
  context: Context,
  ...args: ARGS
) => Outcome | Promise<Outcome>;

/** A command that says whether it only looks. */
export interface TuttiCommand extends Command<Context> {
  readonly reads: boolean;
}

/** A command as stricli wants it: the outcome becomes the exit code, and its help ends with examples. */
export function command<FLAGS extends AnyFlags<FLAGS>, const ARGS extends BaseArgs>(
  definition: CommandDefinition<FLAGS, ARGS>,
): TuttiCommand {
  const { load, reads, parameters, brief, about, examples } = definition;
  const built = buildCommand<FLAGS, ARGS, Context>({
    loader: async () => {
      const body = await load();
      return async function run(this: Context, flags: FLAGS, ...args: ARGS): Promise<void> {
        await this.leaveForeignPrograms?.();
        this.process.exitCode = exitCodeOf(await body(flags, { ...this, reads }, ...args));
      };
    },
    parameters,
    docs: { brief, fullDescription: `${brief}.\n${about}` },
  });
  return {
    ...built,
    reads,
    formatHelp: (args) => `${withoutDefaults(built.formatHelp(args))}\n${examplesText(examples)}`,
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

/** On every command. */
export const jsonFlag = {
  kind: 'boolean',
  brief: 'Print JSON for programs',
  default: false,
  withNegated: false,
} as const;

export interface TrustFlag {
  /** `--trust`: trust what the repository brings. `--no-trust`: work without it. Neither: ask, or refuse. */
  readonly trust?: boolean;
}

/** On every command that starts agents or commands. */
export const trustFlag = {
  kind: 'boolean',
  brief: 'Trust what this repository brings, as it is now, or work without it',
  optional: true,
} as const;

export interface JsonFlag {
  readonly json: boolean;
}
