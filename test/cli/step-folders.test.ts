import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli } from './rig.ts';

/** A project whose agent leaves a file where it works, beside a folder that no step may touch. */
function world({ path }: TempFolder, steps: readonly object[]) {
  const place = realpathSync(path);
  const [repo, victim] = [join(place, 'repo'), join(place, 'victim')];
  mkdirSync(victim);
  const agent =
    'cat > /dev/null; pwd > agent-was-here; echo "{\\"status\\":\\"success\\"}" > "$TUTTI_RESULT"';
  write(repo, {
    'tutti.yaml': JSON.stringify({
      driver: 'mine',
      drivers: { mine: { type: 'command', command: ['sh', '-c', agent] } },
    }),
    'flow.yaml': JSON.stringify({ steps }),
    'sub/real/a.txt': 'A',
  });
  const options = { folder: repo, env: { HOME: join(place, 'home') }, stdin: '' };
  return { repo, victim, run: () => cli(options, 'run', 'flow.yaml', '--run-id', 'r') };
}

const works = [
  ['a command', { command: ['touch', 'command-was-here'] }],
  ['an agent', { agent: 'coder', prompt: 'Work.' }],
] as const;

test.for(works)(
  '%s whose cwd is a link out of the project is refused before anything runs',
  async ([, work]) => {
    using folder = tempFolder();
    const { repo, victim, run } = world(folder, [{ id: 'a', cwd: 'sub/x', ...work }]);
    symlinkSync('../../victim', join(repo, 'sub/x'));
    expect(await run()).toMatchObject({
      code: 64,
      err: expect.stringContaining(
        `the cwd of step 'a' leaves the project: ${repo}/sub/x leads to ${victim}, which is outside the project\n`,
      ),
    });
    expect(readdirSync(victim)).toEqual([]);
    expect(existsSync(join(repo, '.tutti'))).toBe(false);
  },
);

test.for(works)(
  '%s is not started where a step before it put a link out of the project',
  async ([, work]) => {
    using folder = tempFolder();
    const { repo, victim, run } = world(folder, [
      { id: 'swap', command: ['sh', '-c', 'rm -r sub/real; ln -s ../../victim sub/real'] },
      { id: 'a', needs: ['swap'], cwd: 'sub/real', ...work },
    ]);
    const { out, code } = await run();
    expect(code).not.toBe(0);
    expect(out).toContain(`${repo}/sub/real leads to ${victim}, which is outside the project`);
    expect(readdirSync(victim)).toEqual([]);
  },
);

test('a link to another folder of the project is followed, and the step works in that folder', async () => {
  using folder = tempFolder();
  const { repo, run } = world(folder, [{ id: 'a', cwd: 'sub/x', agent: 'coder', prompt: 'Work.' }]);
  symlinkSync('real', join(repo, 'sub/x'));
  expect(await run()).toMatchObject({ code: 0 });
  expect(readFileSync(join(repo, 'sub/real/agent-was-here'), 'utf8')).toBe(`${repo}/sub/real\n`);
});
