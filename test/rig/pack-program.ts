import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { packRepository } from '../package/pack.ts';
import { delayProgram, storeVariable } from './delay-program.ts';
import { delayedPersonVariable, installedVariable } from './installed-tutti.ts';
import { repository } from './repository.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * Packs the repository as it was built and unpacks it where npm would: the package depends on nothing, so that is its whole
 * installation. Called by vitest before the first test; what it returns is called after the last.
 */
export default async function packProgram(): Promise<(() => void) | undefined> {
  if (!existsSync(repository('dist/cli/main.js'))) return undefined;
  // Inside the repository: tests also start its sources, and a sandbox shows an agent the package that started it.
  const cache = repository('node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = tempFolder(cache);
  // Tests play other users too.
  chmodSync(folder.path, 0o755);
  const { tarball } = await packRepository(folder.path);
  const modules = join(folder.path, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', tarball, '-C', modules]);
  renameSync(join(modules, 'package'), join(modules, 'tutti'));
  process.env[installedVariable] = join(modules, 'tutti', 'bin', 'tutti.js');
  if (process.env[storeVariable] === 'delayed') {
    process.env[delayedPersonVariable] = await delayProgram(join(modules, 'tutti'));
  }
  return () => {
    folder[Symbol.dispose]();
  };
}
