import { oneLine } from '../lib/terminal-text.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { refusal, type Refusal } from '../app/refusal.ts';
import type { Context } from './context.ts';

/** The line that a person types, without the spaces around it; empty where there is none. */
export async function typedWord(
  { input, process }: Pick<Context, 'input' | 'process'>,
  gone?: AbortSignal,
): Promise<string> {
  const typed = await input.line(gone);
  // The next output begins on a line of its own.
  if (typed.at !== 'line') process.stderr.write('\n');
  return typed.at === 'line' ? typed.text.trim() : '';
}

export interface Confirmation {
  readonly question: string;
  /** Not asked: the answer is yes. */
  readonly force: boolean;
  /** A program reads what is printed, and will not answer. */
  readonly json: boolean;
  /** The flag that answers; `--force` where none is named. */
  readonly flag?: string;
}

/** Asks a person before something is done that matters. Whoever is no person has to say so with a flag. */
export async function confirmed(
  { input, process }: Context,
  { question, force, json, flag = '--force' }: Confirmation,
): Promise<Result<boolean, Refusal>> {
  if (force) return ok(true);
  if (!input.isTerminal || json) {
    const message = `${question} There is no terminal to ask on`;
    return err(refusal('USAGE', message, `if you mean it, add ${flag}`));
  }
  input.dropTypedAhead();
  // Not on standard output: that is the answer of the command, and may lead into a file.
  process.stderr.write(`${question} [y/N]: `);
  const word = await typedWord({ input, process });
  if (!/^(?:y|yes|n|no)?$/i.test(word))
    process.stderr.write(`'${oneLine(word, 80)}' counts as no; to agree, answer y or yes\n`);
  return ok(/^(?:y|yes)$/i.test(word));
}
