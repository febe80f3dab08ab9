import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playedPerson } from '../rig/person.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

/** A repository beside the home of the person. */
function world({ path }: TempFolder, files: Readonly<Record<string, string>>) {
  const place = realpathSync(path);
  const [repo, home] = [join(place, 'repo'), join(place, 'home')];
  mkdirSync(home);
  write(repo, files);
  const git = (folder: string, ...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'protocol.file.allow=always'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
  };
  const commit = (folder: string): void => {
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'x');
  };
  commit(repo);
  return { place, repo, git, commit, env: { HOME: home } };
}

const flow = 'steps: [{id: a, command: [touch, fired]}]\n';

test('the refusal names a tutti.yaml by its path in the repository', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder, {
    'sub/tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [x]}}\n',
    'sub/f.yaml': flow,
  });
  const { code, err } = await cli({ folder: join(repo, 'sub'), env, stdin: '' }, 'run', 'f.yaml');
  expect(code).toBe(64);
  expect(err).toMatch(/^tutti: \S+\/repo brings .* now: sub\/tutti\.yaml \(.*\), sub\/f\.yaml\n/);
  expect(err).toContain('look at it: tutti trust f.yaml;');
});

test('in a worktree the refusal and the question name the worktree, where the change is', async () => {
  using folder = tempFolder();
  const { place, repo, git, env } = world(folder, { 'a.txt': 'A' });
  const tree = join(place, 'tree');
  git(repo, 'worktree', 'add', '-q', tree);
  write(tree, { 'flows/f.yaml': flow });
  const { err } = await cli({ folder: tree, env, stdin: '' }, 'run', 'flows/f.yaml');
  expect(err).toContain(`tutti: ${tree} brings what you have not trusted as it is now: flows/f.yaml\n`);
  const asked = await cli({ folder: tree, env, terminal: [80, 24], typed: 'n' }, 'trust');
  expect(asked.out).toContain(`Settings and commands in ${tree}:\n`);
  expect(asked.err).toContain(`what ${tree} brings?`);
});

test('doctor leads from an agent that is not trusted to the command that shows it', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder, { 'agents/mine.md': 'Work.' });
  const untrusted = /agent mine of this repository is not trusted.*\n {2}→ look at it: tutti trust\n/;
  expect((await cli({ folder: repo, env }, 'doctor')).out).toMatch(untrusted);
  write(repo, { 'agents/mine.md': '---\ntier: [' });
  expect((await cli({ folder: repo, env }, 'trust', '--yes')).code).toBe(0);
  expect((await cli({ folder: repo, env }, 'doctor')).out).toMatch(
    /agents\/mine\.md.*\n {2}→ \$\{EDITOR:-vi\} the file/,
  );
});

test('decisions about trust are in the log of the home that the system has for the user, not in the audit of the project', async () => {
  using folder = tempFolder();
  const { place, repo, env } = world(folder, { 'flows/f.yaml': flow });
  const real = join(place, 'system-home');
  const caller = (more: object) => {
    const played = playedPerson({ ...env, ...more });
    return { ...played, user: { ...played.user, home: real } };
  };
  const agent = { TUTTI_SESSION_ID: 's1' };
  const refused = await cli({ folder: repo, env, caller: caller(agent) }, 'trust', '--yes');
  expect(refused.code).toBe(3);
  expect((await cli({ folder: repo, env, caller: caller({}) }, 'run', 'flows/f.yaml', '--trust')).code).toBe(
    0,
  );
  const log = readFileSync(join(real, '.local/state/tutti/decisions.log'), 'utf8');
  expect(log.trim().split('\n')).toEqual([
    expect.stringContaining(`trust ${repo}`),
    expect.stringContaining(`trust ${repo}`),
  ]);
  expect(existsSync(join(env.HOME, '.local/state/tutti/decisions.log'))).toBe(false);
  const audit = await cli({ folder: repo, env }, 'session', 'audit', '--event', 'decision');
  expect(audit.out).not.toContain(repo);
});

test('a flow of a submodule that is run from outside is shown and trusted as the submodule', async () => {
  using folder = tempFolder();
  const { place, repo, git, commit, env } = world(folder, { 'tutti.yaml': 'sandbox: off\n' });
  write(join(place, 'origin'), { 'flows/f.yaml': flow, 'flows/g.yaml': flow });
  commit(join(place, 'origin'));
  git(repo, 'submodule', 'add', '-q', join(place, 'origin'), 'module');
  const options = { folder: repo, env, stdin: '' };
  expect((await cli(options, 'trust', '--yes')).code).toBe(0);
  const run = () => cli(options, 'run', 'module/flows/f.yaml');
  const refused = await run();
  expect(refused.code).toBe(64);
  expect(refused.err).toContain(
    `tutti: ${repo}/module brings what you have not trusted as it is now: flows/f.yaml\n`,
  );
  expect(refused.err).toContain('look at it: tutti trust module/flows/f.yaml;');
  const trusted = await cli(options, 'trust', 'module/flows/f.yaml', '--yes');
  expect(trusted.out).toMatch(
    /\/repo\/module:\n {2}flows\/f\.yaml .*\n {4}a: touch fired\n {2}flows\/g\.yaml/,
  );
  expect(trusted.out).not.toContain('tutti.yaml');
  expect((await run()).code).toBe(0);
  expect((await cli({ ...options, folder: join(repo, 'module') }, 'trust', '--show')).out).toContain(
    '/repo/module is trusted since',
  );
});

test('a flow behind a link out of the repository is no file of the person, and is asked about', async () => {
  using folder = tempFolder();
  const { place, repo, env } = world(folder, { 'a.txt': 'A' });
  write(place, { 'elsewhere/f.yaml': flow });
  symlinkSync('../elsewhere', join(repo, 'linked'));
  const { code, err } = await cli({ folder: repo, env, stdin: '' }, 'run', 'linked/f.yaml');
  expect(code).toBe(64);
  expect(err).toContain(`tutti: ${repo} brings what you have not trusted as it is now`);
});
