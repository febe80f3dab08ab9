import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { Tmux, versionProblem } from '../../src/runtime/tmux/client.ts';
import { openPane } from '../../src/runtime/tmux/pane.ts';
import { until, untilExists } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { needProgram } from '../rig/need-program.ts';
import { TmuxRig } from './rig.ts';

beforeEach((context) => {
  needProgram(context, 'tmux');
});

const cat = ['/bin/cat'] as const;
const write = `require('fs').writeFileSync(process.argv[1], JSON.stringify([process.cwd(), ...process.argv.slice(2)]))`;

test('task-1 is not task-10: only the exact name is found, typed into and ended', async () => {
  await using rig = new TmuxRig();
  const { tmux } = rig;
  const [one, ten] = [tmux.nameOf('task-1'), tmux.nameOf('task-10')];
  expect(await tmux.newSession({ name: ten, argv: cat, cwd: '/' })).toEqual({ ok: true, value: null });
  expect(await tmux.has(one)).toBe(false);
  expect(await tmux.paste(one, 'x')).toMatchObject({ ok: false });
  expect(await tmux.sendEnter(one)).toMatchObject({ ok: false });
  expect(await tmux.kill(one)).toBe(false);
  expect(await tmux.list()).toEqual([ten]);
  expect(rig.raw('list-buffers')).toBe('');
  // Control: tmux itself takes the one for the other.
  rig.raw('kill-session', '-t', one);
  expect(await tmux.has(ten)).toBe(false);
});

test('a name that tmux would change or read as something else is refused before tmux sees it', () => {
  const tmux = new Tmux({ socket: 'never-started', prefix: 'iw' }, {});
  for (const id of ['a.b', 'a:b', 'a b', '', '$(x)', 'x\n', 'é', 'x'.repeat(200)]) {
    if (id !== '') expect(() => tmux.nameOf(id), id).toThrow('cannot be the name');
    expect(() => tmux.attachArgv(id), id).toThrow('cannot be the name');
  }
  expect(tmux.attachArgv(tmux.nameOf('20251118-153042-Coder_1'))).toEqual(
    'tmux -L never-started attach-session -t =iw-20251118-153042-Coder_1'.split(' '),
  );
});

test('60 sessions that end at once are all opened, and the server exits after the last of them', async () => {
  await using rig = new TmuxRig();
  const failed: string[] = [];
  for (let round = 0; round < 60; round += 1) {
    const opened = await rig.tmux.newSession({ name: `iw-q${round}`, argv: ['/bin/true'], cwd: '/' });
    if (!opened.ok) failed.push(opened.error);
  }
  expect(failed).toEqual([]);
  // The last of them may still be on its way out.
  await until('the server is gone', () => rig.raw('list-sessions') === '');
  expect(await rig.tmux.newSession({ name: 'iw-again', argv: cat, cwd: '/' })).toMatchObject({ ok: true });
  const form = '#{session_name} #{pane_current_command} #{pane_current_path}';
  expect(rig.raw('list-panes', '-a', '-F', form)).toContain('iw-keeper cat /\n');
  // Without its keeper the other session stays: the server exits only when the keeper is alone.
  rig.raw('kill-session', '-t', '=iw-keeper');
  expect(rig.raw('list-sessions', '-F', '#{session_name}')).toBe('iw-again\n');
});

test('many who open sessions at the same moment get one server, and each their session', async () => {
  await using rig = new TmuxRig();
  const names = Array.from({ length: 12 }, (_, at) => rig.tmux.nameOf(`p${at}`));
  const opened = await Promise.all(
    names.map((name) => new Tmux(rig.tmux.config, rig.tmux.env).newSession({ name, argv: cat, cwd: '/' })),
  );
  expect(opened.filter(({ ok }) => !ok)).toEqual([]);
  expect((await rig.tmux.list()).toSorted()).toEqual(names.toSorted());
});

test.each([
  'with blanks',
  `it's "quoted"`,
  'ends with ;',
  '#{pane_pid} #(id) %1',
  'new\nline',
  '$HOME `id`',
  '-x',
  'ü 日本',
])('a pane in a folder called %j works there, and its arguments are exact', async (name) => {
  await using rig = new TmuxRig();
  const folder = join(rig.path, name);
  mkdirSync(folder);
  const out = join(rig.path, 'out');
  const words = [';', 'x;', '\\;', 'a\\\\;', '', name, folder, '#{pane_pid}', '$0'];
  const argv = [process.execPath, '-e', `${write}; setInterval(() => 0, 1e6)`, '--', out, ...words] as const;
  expect(await openPane(rig.tmux, { id: 'view', argv, cwd: folder })).toEqual({ ok: true, value: 'iw-view' });
  await untilExists(out);
  await until('written', () => readFileSync(out, 'utf8') !== '');
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual([folder, ...words]);
  expect(await rig.tmux.kill(rig.tmux.nameOf('view'))).toBe(true);
  expect(await rig.tmux.kill(rig.tmux.nameOf('view'))).toBe(false);
});

test('what cannot be opened is told in a sentence', async () => {
  await using rig = new TmuxRig();
  const open = (name: string, cwd: string, argv: readonly [string, ...string[]] = cat) =>
    rig.tmux.newSession({ name, argv, cwd });
  expect(await open('iw-a', join(rig.path, 'nowhere'))).toMatchObject({
    error: expect.stringContaining('nowhere does not exist'),
  });
  expect(await open('iw-a', '/', ['/bin/cat', 'x'.repeat(13_000)])).toMatchObject({
    error: 'the command is too long for tmux',
  });
  expect(await open('iw-a', '/')).toMatchObject({ ok: true });
  expect(await open('iw-a', '/')).toMatchObject({
    error: 'tmux new-session failed: duplicate session: iw-a',
  });
});

test('a tmux that is missing or too old is told with the command that mends it', async () => {
  using empty = tempFolder();
  const absent = new Tmux({ socket: 'x', prefix: 'iw' }, { PATH: empty.path });
  expect(await absent.problem()).toBe(
    'tmux cannot be run (ENOENT): apt install tmux (macOS: brew install tmux)',
  );
  expect(await openPane(absent, { id: 'a', argv: cat, cwd: '/' })).toMatchObject({ ok: false });
  expect(versionProblem('tmux 3.1c\n')).toContain('tmux 3.1 is too old, 3.2 is needed: apt install tmux');
  expect(['tmux 3.2', 'tmux 3.3a', 'tmux 10.0', 'tmux next-3.6', 'tmux master'].map(versionProblem)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('a server that went away just then is asked once more', async () => {
  await using rig = new TmuxRig();
  let failures = 1;
  class Unlucky extends Tmux {
    override async has(name: string): Promise<boolean> {
      const there = await super.has(name);
      // Between the look and the call, the keeper and with it the server goes.
      if (there && failures > 0) {
        failures -= 1;
        rig.raw('kill-server');
      }
      return there;
    }
  }
  const tmux = new Unlucky(rig.tmux.config, rig.tmux.env);
  expect(await tmux.newSession({ name: 'iw-first', argv: cat, cwd: '/' })).toMatchObject({ ok: true });
  expect(await tmux.newSession({ name: 'iw-second', argv: cat, cwd: '/' })).toMatchObject({ ok: true });
  expect(failures).toBe(0);
  expect(rig.raw('list-sessions', '-F', '#{session_name}')).toBe('iw-keeper\niw-second\n');
});
