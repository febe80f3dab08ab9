import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trustFilePath } from '../../src/app/trust/trust-file.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

/** A repository with files, beside the home of the person. */
function repository({ path }: TempFolder, files: Readonly<Record<string, string>>) {
  const place = realpathSync(path);
  const [repo, home] = [join(place, 'repo'), join(place, 'home')];
  mkdirSync(home);
  write(repo, files);
  execFileSync('git', ['init', '-q'], { cwd: repo, stdio: 'pipe' });
  return { repo, env: { HOME: home } };
}

test.for(['README.md', 'package.json', 'sub/broken.yaml', 'skills/x/SKILL.md'])(
  'trust of %s, which is no flow and is used by nothing, is refused with what can be trusted',
  async (name) => {
    using folder = tempFolder();
    const { repo, env } = repository(folder, {
      'README.md': '# Read me\n',
      'package.json': '{}',
      'sub/broken.yaml': 'steps: [{id: a, comand: [x]}]\n',
      'skills/x/SKILL.md': 'x',
      'tutti.yaml': 'sandbox: off\n',
    });
    for (const flag of ['--show', '--yes']) {
      const refused = await cli({ folder: repo, env }, 'trust', name, flag);
      const sentence = `tutti: ${name} is not a flow: only a repository, or the file of a flow in it, can be trusted\n`;
      expect(refused).toMatchObject({ code: 64, out: '', err: expect.stringContaining(sentence) });
      expect(refused.err.includes('"comand"')).toBe(name === 'sub/broken.yaml');
    }
    expect(existsSync(trustFilePath(env))).toBe(false);
    expect((await cli({ folder: repo, env }, 'trust', 'tutti.yaml', '--yes')).code).toBe(0);
  },
);
