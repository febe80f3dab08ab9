// Writes what `tutti --help` and the help of every command print, so that the program can answer without loading anything.
import { writeFileSync } from 'node:fs';
import { run } from '@stricli/core';
import { loadWholeApplication } from '../src/cli/application.ts';
import { shortcuts } from '../src/cli/arguments-line.ts';
import { knownCommands, partNames } from '../src/cli/commands.ts';
import { fullOverview } from '../src/cli/help/overview.ts';

const application = await loadWholeApplication();

/** @param {readonly string[]} words */
async function helpOf(words) {
  let text = '';
  const stdout = { write: (/** @type {string} */ part) => void (text += part) };
  const stderr = { write: () => undefined };
  await run(application, [...words, '--help'], {
    process: { stdout, stderr },
    forCommand: () => {
      throw new Error('help runs no command');
    },
  });
  return text;
}

const lines = knownCommands.flatMap((name) => [
  [name],
  ...(partNames.get(name) ?? []).map((part) => [name, part]),
]);
/** @type {Record<string, string>} */
const pages = { 'help --all': fullOverview() };
for (const [name = '', ...rest] of lines) {
  pages[[name, ...rest].join(' ')] = await helpOf(shortcuts.get(name) ?? [name, ...rest]);
}
writeFileSync(new URL('../dist/help.txt', import.meta.url), await helpOf([]));
writeFileSync(new URL('../dist/help.json', import.meta.url), JSON.stringify(pages));
