import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { repository } from './repository.ts';
import { testSeed } from './test-seed.ts';

/** Set to `delayed` for a second pass of end-to-end tests; the tests read it, never the program. */
export const storeVariable = 'TUTTI_TEST_STORE';

const call = 'return cli.main(args);';

/**
 * Makes the entry of an unpacked program call the same `main` with the delayed store, and puts the program for a person beside
 * it, so that every process which either of them starts is delayed too. Returns the program for a person.
 */
export async function delayProgram(folder: string): Promise<string> {
  // Two folders below the package, as src/lib/package-files.ts expects.
  const dir = join(folder, 'dist', 'delayed');
  await build({
    cwd: repository('.'),
    input: {
      composition: repository('test/rig/delayed-composition.ts'),
      person: repository('test/rig/tutti-delayed-for-person.ts'),
    },
    platform: 'node',
    transform: { target: 'es2023' },
    output: { dir, format: 'es', chunkFileNames: '[name]-[hash].js' },
    logLevel: 'silent',
  });
  const entry = join(folder, 'bin', 'tutti.js');
  const text = readFileSync(entry, 'utf8');
  if (!text.includes(call)) throw new Error(`${entry} does not call main as expected: '${call}'`);
  const composed = `return import('../dist/delayed/composition.js').then(({ delayedStore }) =>
      cli.main(args, { store: delayedStore(${testSeed}) }));`;
  writeFileSync(entry, text.replace(call, composed));
  return join(dir, 'person.js');
}
