import {
  AliasNotFoundError,
  type ApplicationText,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
  text_en,
} from '@stricli/core';
import { nearest } from '../lib/nearest.ts';

/** The command line itself is wrong. */
export class Misuse extends Error {
  override readonly name = 'Misuse';
  /** What stands where a command should, if that is the trouble. */
  readonly unknownCommand: string | null;

  /** The next command, where it does not follow from the command line. */
  readonly hint: string | null;

  constructor(message: string, unknownCommand: string | null = null, hint: string | null = null) {
    super(message);
    this.unknownCommand = unknownCommand;
    this.hint = hint;
  }
}

/** Stricli would print errors itself, in its own words and never as JSON; thrown, they come to us as values. */
export const throwingText: ApplicationText = {
  ...text_en,
  briefs: {
    ...text_en.briefs,
    help: 'Print help and exit',
    version: 'Print the version and exit',
    argumentEscapeSequence: 'Treat all remaining words as arguments, even if they start with -',
  },
  noCommandRegisteredForInput: ({ input }) => {
    throw new Misuse(`there is no ${input.startsWith('-') ? 'option' : 'command'} '${input}'`, input);
  },
  exceptionWhileParsingArguments: (error) => {
    throw error instanceof Misuse ? error : new Misuse(sentenceOf(error));
  },
  exceptionWhileLoadingCommandFunction: rethrow,
  exceptionWhileLoadingCommandContext: rethrow,
  exceptionWhileRunningCommand: rethrow,
};

function rethrow(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}

function sentenceOf(error: unknown): string {
  if (error instanceof FlagNotFoundError) {
    const near = nearest(error.input, error.corrections.map(asTyped));
    return `there is no option '--${error.input}'${near === null ? '' : `; did you mean '--${near}'?`}`;
  }
  if (error instanceof AliasNotFoundError) return `there is no option '-${error.input}'`;
  if (error instanceof ArgumentParseError) {
    const why = error.exception instanceof Error ? error.exception.message : String(error.exception);
    return `${optionOrArgument(error.externalFlagNameOrPlaceholder)} ${why}`;
  }
  if (error instanceof EnumValidationError) {
    return `--${error.externalFlagName} must be one of ${error.values.join(', ')}, not '${error.input}'`;
  }
  if (error instanceof UnsatisfiedFlagError) return `--${error.externalFlagName} needs a value`;
  if (error instanceof UnexpectedFlagError) {
    const [name, values] = [error.externalFlagName, [error.previousInput, error.input]];
    return values.toSorted().join() === 'false,true'
      ? `--${name} and --no-${name} contradict each other`
      : `--${name} is given twice: '${error.previousInput}' and '${error.input}'`;
  }
  if (error instanceof InvalidNegatedFlagSyntaxError) return `--${error.externalFlagName} takes no value`;
  if (error instanceof UnexpectedPositionalError) {
    return `'${error.input}' is one argument too many (this command takes ${error.expectedCount || 'none'})`;
  }
  if (error instanceof UnsatisfiedPositionalError) return `${error.placeholder} is missing`;
  return error instanceof Error ? error.message : String(error);
}

/** Options are written with dashes, in code without. */
function asTyped(option: string): string {
  return option.replace(/^-+/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Placeholders are written in capitals, options are not. */
function optionOrArgument(name: string): string {
  return name === name.toUpperCase() ? name : `--${name}`;
}
