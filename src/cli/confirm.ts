import { err, ok, type Result } from '../lib/result.ts';
import { refusal, type Refusal } from '../app/refusal.ts';
import type { Context } from './context.ts';

export interface Confirmation {
  readonly question: string;
  /** Not asked: the answer is yes. */
  readonly force: boolean;
  /** A program reads what is printed, and will not answer. */
  readonly json: boolean;
}

/** Asks a person before something is done that cannot be undone. Whoever is no person has to say --force. */
export async function confirmed(
  { input, process }: Context,
  { question, force, json }: Confirmation,
): Promise<Result<boolean, Refusal>> {
  if (force) return ok(true);
  if (!input.isTerminal || json) {
    const message = `${question} There is nobody to ask`;
    return err(refusal('USAGE', message, 'if you mean it, add --force'));
  }
  // Not on standard output: that is the answer of the command, and may lead into a file.
  process.stderr.write(`${question} [y/N]: `);
  const answer = await input.line();
  if (answer === null) process.stderr.write('\n');
  return ok(/^\s*y(es)?\s*$/i.test(answer ?? ''));
}
