import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PayProject } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';

/** Deletes the project and makes one with the same files at the same path. */
function makeAgain({ path }: PayProject, history: 'cloned' | 'new'): void {
  const copy = mkdtempSync(join(tmpdir(), 'tutti-made-again-'));
  cpSync(path, copy, { recursive: true, filter: (file) => !/\/(?:\.tutti|src)$/.test(file) });
  rmSync(path, { recursive: true });
  cpSync(copy, path, { recursive: true });
  rmSync(copy, { recursive: true });
  if (history === 'cloned') return;
  rmSync(join(path, '.git'), { recursive: true });
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['-c', 'user.name=ann', '-c', 'user.email=ann@localhost', 'commit', '-qm', 'Another beginning'],
  ]) {
    execFileSync('git', args, { cwd: path });
  }
}

test.each(['new', 'cloned'] as const)(
  'a plan of the same name begins with nothing of a project that was deleted and made again, with %s history',
  { timeout: hangLimitMs },
  async (history) => {
    using project = new PayProject();
    const build = ['build', 'records.md', '--yes', '--trust'];
    expect(await project.runAsPerson(...build)).toMatchObject({ code: 0 });
    makeAgain(project, history);
    project.rules({ T001: { content: 'export const keep = 2; // show\n' } });
    const again = await project.runAsPerson(...build);
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect((await project.runAsPerson('land')).code).toBe(0);
    expect(existsSync(join(project.path, 'src'))).toBe(true);
    const subjects = execFileSync('git', ['log', '--format=%s'], { cwd: project.path, encoding: 'utf8' });
    expect(subjects.match(/T001/g)).toHaveLength(1);
  },
);
