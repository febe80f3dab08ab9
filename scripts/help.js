// Writes what `tutti --help` prints, so that the program can answer it without loading anything.
import { writeFileSync } from 'node:fs';
import { run } from '@stricli/core';
import { application } from '../src/cli/routes.ts';

let text = '';
const stdout = { write: (/** @type {string} */ part) => void (text += part) };
const stderr = { write: () => undefined };
await run(application, ['--help'], {
  process: { stdout, stderr },
  forCommand: () => {
    throw new Error('help runs no command');
  },
});
writeFileSync(new URL('../dist/help.txt', import.meta.url), text);
