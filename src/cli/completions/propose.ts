import { proposeCompletions } from '@stricli/core';
import { loadApplication } from '../application.ts';
import { expandShortcut } from '../arguments-line.ts';
import type { Context } from '../context.ts';

/** The last word is not typed to its end yet, so a word that stands alone is no shortcut. */
function expanded(words: readonly string[]): readonly string[] {
  return words.length > 1 ? expandShortcut(words) : words;
}

/** `tutti __complete WORD… PARTIAL`: what could stand in place of the last word, one a line, each with what it is. */
export async function complete(context: Context, words: readonly string[]): Promise<void> {
  const line = expanded(words);
  const found = await proposeCompletions(await loadApplication(line), line, context);
  for (const { completion, brief } of found) context.process.stdout.write(`${completion}\t${brief}\n`);
}
