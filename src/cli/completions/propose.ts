import { proposeCompletions } from '@stricli/core';
import type { Context } from '../context.ts';
import { application } from '../routes.ts';

/** `tutti __complete WORD… PARTIAL`: what could stand in place of the last word, one a line, each with what it is. */
export async function complete(context: Context, words: readonly string[]): Promise<void> {
  const found = await proposeCompletions(application, words, context);
  for (const { completion, brief } of found) context.process.stdout.write(`${completion}\t${brief}\n`);
}
