import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortcuts } from '../../src/cli/arguments-line.ts';
import { SessionProject } from '../sessions/project.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli } from './rig.ts';

describe('in a folder where nothing ever ran', () => {
  test.each(['status', 'runs', 'report', 'events', 'costs', 'inbox', 'ls', 'ps', 'agents', 'config'])(
    '`tutti %s` prints something, is no mistake, and leaves no state behind',
    async (command) => {
      using folder = tempFolder();
      const { out, code } = await cli({ folder: folder.path, stdin: '' }, command);
      expect(code).toBe(0);
      expect(out).toMatch(/\S/);
      expect(await cli({ folder: folder.path, stdin: '' }, command, '--json')).toMatchObject({
        err: '',
        code: 0,
      });
      expect(existsSync(join(folder.path, '.tutti'))).toBe(false);
    },
  );

  test('a run that was named is still unknown', async () => {
    using folder = tempFolder();
    for (const command of ['status', 'report', 'events', 'costs']) {
      const { err, code } = await cli({ folder: folder.path }, command, 'nope');
      expect([code, err]).toEqual([64, expect.stringContaining("there is no run 'nope'")]);
    }
  });
});

test('the first screen of help has room for four more families, and the rest is in help --all', async () => {
  using folder = tempFolder();
  const { out: first } = await cli({ folder: folder.path }, '--help');
  const { out: all } = await cli({ folder: folder.path }, 'help', '--all');
  const lines = first.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40 - 4);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(first).toContain('tutti help --all\n');
  expect(first).not.toContain('checkpoint');
  for (const name of [...shortcuts.keys(), 'agents', 'config', 'checkpoint', 'trust']) {
    expect(all).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  }
});

test('both screens of help and docs/cli.md have the same groups, and the first screen has a part of each', async () => {
  using folder = tempFolder();
  const all = groupsIn((await cli({ folder: folder.path }, 'help', '--all')).out);
  const first = groupsIn((await cli({ folder: folder.path }, '--help')).out);
  expect(Object.keys(all)).toContain('inspect');
  const [, table = ''] = readFileSync(repository('docs/cli.md'), 'utf8').split(
    '| group | commands | described in |',
  );
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([a-z -]+) \| (.+?) \|/gm)];
  const documented = rows.map(([, group, names = '']) => [
    group,
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]);
  expect(Object.fromEntries(documented)).toEqual(all);
  for (const [group, names] of Object.entries(first))
    expect(all[group]).toEqual(expect.arrayContaining(names));
});

/** The commands of each group of an overview, by the group's name without its remark. */
function groupsIn(overview: string): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const block of overview.split('\n\n')) {
    const [, heading = ''] = /^([A-Z][A-Z -]+[A-Z])(?: \(.*\))?\n/.exec(block) ?? [];
    if (['', 'USAGE', 'SHORTCUTS', 'EXAMPLES', 'TOPICS', 'EXIT CODES'].includes(heading)) continue;
    groups[heading.toLowerCase()] = [...block.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  }
  return groups;
}

test.each([...shortcuts])(
  '`tutti help %s` is the help of the command that it stands for',
  async (name, words) => {
    using folder = tempFolder();
    const [family = '', part = ''] = words;
    const { out } = await cli({ folder: folder.path }, 'help', name);
    expect(out).toBe((await cli({ folder: folder.path }, 'help', family, part)).out);
    expect((await cli({ folder: folder.path }, name, '--help')).out).toBe(out);
  },
);

test('shortcuts work on sessions, with completed ids', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'say hello');
  await project.untilStatus(tutti, id, 'COMPLETED');
  const type = (...words: readonly string[]) => cli({ folder: project.path, stdin: '' }, ...words);
  expect((await type('logs', 'last')).out).toContain('hello');
  expect((await type('ls')).out).toContain(id);
  const silent = await project.create(tutti, 'work');
  await project.untilStatus(tutti, silent.id, 'COMPLETED');
  expect(await type('logs', 'last')).toEqual({
    code: 0,
    out: '',
    err: `session ${silent.id} has printed nothing\n  → see its history: tutti session logs ${silent.id} --session-log\n`,
  });
  expect((await type('ps')).out).toBe('No sessions found\n');
  expect((await type('kill', id, '--force')).out).toContain('already terminated');
  expect((await type('__complete', 'logs', id.slice(0, 4))).out).toContain(id);
});

test('agents are listed with tier, driver and file, and a file that cannot be used is reported', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'tutti.yaml': 'driver: replay\n',
    'agents/mine.md': '---\ntier: high\n---\nYou work.\n',
    'agents/bad.md': '---\ntier: opus\n---\nx\n',
  });
  const { out, err, code } = await cli({ folder: folder.path }, 'agents');
  expect(code).toBe(0);
  expect(out).toMatch(/^mine +high +replay +agents\/mine\.md$/m);
  expect(out).toMatch(/^coder +medium +replay +built-in$/m);
  expect(err).toContain('agents/bad.md:2:7: tier: must be one of low, medium, high');
});

test('the configuration is shown with the source of each value', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'tutti.yaml': 'max_sessions: 2\nstall_after: 5m\nlimits: { memory: 1GB }\n',
    '.config/tutti/config.yaml': 'max_sessions: 9\nhost: tmux\n',
  });
  const env = { TUTTI_MAX_DEPTH: '3' };
  const { out, code } = await cli({ folder: folder.path, env }, 'config');
  expect(code).toBe(0);
  expect(out).toContain('max_sessions: 2  # tutti.yaml\n');
  expect(out).toContain('stall_after: 5m  # tutti.yaml\n');
  expect(out).toContain('max_depth: 3  # environment\n');
  expect(out).toContain(`host: tmux  # ${join(folder.path, '.config/tutti/config.yaml')}\n`);
  expect(out).toContain('session_timeout: 30m  # default\n');
});

test('a tutti.yaml that is not trusted is named beside the configuration that counts', async () => {
  using folder = tempFolder();
  write(folder.path, { 'tutti.yaml': 'driver: gemini\nmax_sessions: 2\n' });
  const here = { folder: folder.path, env: {}, trusts: false };
  const { out, err, code } = await cli(here, 'config');
  expect(code).toBe(0);
  expect(out).not.toContain('driver: gemini');
  expect(err).toBe(
    'tutti.yaml is not trusted, so it does not count here: driver\n  → look at it: tutti trust\n',
  );
  const { out: json, err: nothing } = await cli(here, 'config', '--json');
  expect(nothing).toBe('');
  const settings = json
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(settings.filter((setting) => 'ignores' in setting)).toMatchObject([
    { name: 'driver', ignores: 'tutti.yaml' },
  ]);
  // Control: a trusted file counts, and nothing is named.
  expect((await cli({ folder: folder.path }, 'config')).err).toBe('');
});
