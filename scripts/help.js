// Writes what `tutti --help` prints, so that the program can answer it without loading anything.
import { writeFileSync } from 'node:fs';
import { run } from '@stricli/core';
import { application } from '../src/cli/routes.ts';

let text = '';
const nowhere = { write: () => undefined };
const process = { stdout: { write: (/** @type {string} */ part) => void (text += part) }, stderr: nowhere };
// Help looks at nothing else of its context.
await run(application, ['--help'], /** @type {import('../src/cli/context.ts').Context} */ (/** @type {unknown} */ ({ process })));
writeFileSync(new URL('../dist/help.txt', import.meta.url), text);
