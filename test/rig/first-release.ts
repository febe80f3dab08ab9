import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe } from 'vitest';
import { repository } from './repository.ts';
import { notInSuite, skipBecause } from './skip-because.ts';
import { tempFolder } from './temp-folder.ts';

/** The commit that comparisons call "before". */
const commit = 'a95b27703e7f726afaee9bfd371c8f1e77a0ab2a';

/** Why the first release cannot be built here; null: its commit is in the history of this clone. */
export function firstReleaseProblem(): string | null {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], {
    cwd: repository('.'),
    stdio: 'ignore',
  });
  if (status === 0) return null;
  return `commit ${commit.slice(0, 7)} is not in the history of this clone: git fetch --unshallow`;
}

/** Builds that commit into an empty folder, with the packages of this repository. Returns its program. */
export function buildFirstRelease(folder: string): string {
  const archive = execFileSync('git', ['archive', commit], {
    cwd: repository('.'),
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(repository('node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['--run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return join(folder, 'bin/tutti.js');
}

/**
 * Tests of what the first release did wrong, which is built once for all of them. They run with the variable of their long
 * suite, where the commit can be built. `program` gives the file of that release.
 */
export function describeFirstRelease(variable: string, tests: (program: () => string) => void): void {
  const skipped = notInSuite(variable) ?? firstReleaseProblem();
  describe('the first release', () => {
    skipBecause(skipped);
    let program = '';
    beforeAll(() => {
      if (skipped !== null) return undefined;
      const folder = tempFolder();
      program = buildFirstRelease(folder.path);
      return () => {
        folder[Symbol.dispose]();
      };
    });
    tests(() => program);
  });
}
