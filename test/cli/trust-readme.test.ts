import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/* How often a person who types the README's commands is asked about trust, in a repository with commands and settings. */

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

/** A stand-in for claude, whose turns write nothing: planning ends early, and every command was asked for its trust. */
const claude = `#!/bin/sh
[ "$1" = --version ] && { echo 99.0.0; exit 0; }
cat > /dev/null
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'
`;

/** Commands of the README's block for Claude Code that start with \`tutti\`, without the program's name. */
function readmeCommands(): readonly (readonly string[])[] {
  const [, rest = ''] = readFileSync(repository('README.md'), 'utf8').split('\n## With Claude Code\n');
  const block = /```sh\n([\s\S]*?)\n```/.exec(rest)?.[1] ?? '';
  return block.split('\n').flatMap((line) => (line.startsWith('tutti ') ? [line.split(' ').slice(1)] : []));
}

function world(path: string): { readonly repo: string; readonly env: Readonly<Record<string, string>> } {
  const place = realpathSync(path);
  const repo = join(place, 'repo');
  write(place, { 'home/.config/tutti/config.yaml': 'sandbox: off\n', 'bin/claude': claude });
  chmodSync(join(place, 'bin/claude'), 0o755);
  write(repo, {
    'package.json': '{"name":"x","scripts":{"test":"node --test"}}',
    'package-lock.json': '{}',
    'index.js': '',
    '.claude/settings.json': '{}',
    'CLAUDE.md': 'Be kind.\n',
    'SPEC.md': 'A function slugify(text) that turns a title into a URL slug, with tests.\n',
  });
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'x'],
  ])
    execFileSync('git', [...identity, ...args], { cwd: repo, stdio: 'pipe' });
  return { repo, env: { HOME: join(place, 'home'), PATH: `${join(place, 'bin')}:${process.env['PATH']}` } };
}

/** Questions about trust, and refusals for want of it. */
const asked = /Trust it, as it is now\?|Use it here\?|Let Tutti and agents use/g;
const refused = /have not trusted|is not trusted/;

test("the README's commands ask about trust once on a terminal", async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder.path);
  const questions: string[] = [];
  for (const words of readmeCommands()) {
    // Whatever is asked is agreed to.
    const { err, out } = await cli({ folder: repo, env, terminal: [80, 24], typed: 'y' }, ...words);
    questions.push(...[...`${err}${out}`.matchAll(asked)].map(() => words.join(' ')));
  }
  expect(questions).toEqual(['plan SPEC.md']);
});

test("in a script one flag to one of the README's commands is enough, and without it that command is refused", async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder.path);
  const needing: string[] = [];
  for (const words of readmeCommands()) {
    const options = { folder: repo, env, stdin: '' };
    const first = await cli(options, ...words);
    if (!refused.test(first.err)) continue;
    expect(first.code).toBe(64);
    needing.push(words.join(' '));
    expect((await cli(options, ...words, '--trust')).err).not.toMatch(refused);
  }
  expect(needing).toEqual(['plan SPEC.md']);
});
