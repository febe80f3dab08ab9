import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/app/doctor/finding.ts';
import { diskFinding, gitFinding, nodeFinding } from '../../src/app/doctor/machine.ts';
import { installService, serviceState, uninstallService } from '../../src/app/service/service.ts';
import { type ServicePlace, serviceUnit } from '../../src/app/service/unit.ts';
import { commandNames, partNames } from '../../src/cli/commands.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { asking, contentsOf, quick, write } from './project.ts';
import { cli } from './rig.ts';

async function findings(folder: string, env: Readonly<Record<string, string>> = {}) {
  const end = await cli({ folder, env }, 'doctor', '--json', '--all');
  const { findings: all } = JSON.parse(end.out) as { findings: readonly Finding[] };
  return { code: end.code, of: (name: string) => all.find((finding) => finding.name === name) };
}

test('in an empty folder without any agent CLI the doctor fails, as a plan would, and makes nothing', async () => {
  using folder = tempFolder();
  const { code, of } = await findings(folder.path);
  expect(code).toBe(69);
  expect(of('driver none')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('none of claude, codex, gemini, opencode is on PATH'),
    fix: expect.stringContaining('npm install -g '),
  });
  expect(of('node')).toMatchObject({ state: 'ok' });
  expect(of('driver replay')).toMatchObject({ state: 'warning', fix: 'tutti init' });
  expect(of('agents')?.text).toContain('coder (built-in)');
  expect(contentsOf(folder.path)).toEqual([]);
});

test('each fault comes with the command that mends it, and a code that is not 0', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [no-such-program]}}\n',
  });
  const drivers = await findings(folder.path);
  expect(drivers.code).toBe(69);
  expect(drivers.of('driver mine')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('no-such-program'),
  });
  const plain = await cli({ folder: folder.path }, 'doctor');
  expect(plain.out).toMatch(/✕ driver mine .*\n {2}→ .*tutti\.yaml\n[\s\S]*1 of \d+ need fixing\n$/);

  write(folder.path, {
    'tutti.yaml': 'nonsense: true\n',
    'agents/broken.md': '---\ntier: huge\n---\n',
    '.tutti': 'a file',
  });
  const all = await findings(folder.path, { PATH: '/nowhere' });
  expect(all.of('config')).toMatchObject({ state: 'failure' });
  expect(all.of('git')).toMatchObject({ state: 'failure', fix: expect.stringContaining('install git') });
  expect(all.of('tmux')).toMatchObject({ state: 'warning' });
  expect(all.of('state')).toMatchObject({ state: 'failure', fix: expect.stringContaining('mv ') });
});

test('an agent that cannot be used and a database that cannot be opened are found', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'agents/broken.md': '---\ntier: huge\n---\n',
    '.tutti/tutti.db': 'no database at all'.repeat(100),
  });
  const { code, of } = await findings(folder.path);
  expect(code).toBe(69);
  expect(of('database')).toMatchObject({ state: 'failure', fix: expect.stringContaining('tutti recover') });
  const end = await cli({ folder: folder.path }, 'doctor');
  expect(end.out).toMatch(/✕ agents .*broken.*tier/);
});

test('a good database is good', async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': quick });
  await cli({ folder: folder.path }, 'run', 'flow.yaml');
  expect((await findings(folder.path)).of('database')).toMatchObject({ state: 'ok' });
});

test('old Nodes and full disks are judged', () => {
  expect(['v20.20.2', 'v22.12.0'].map((version) => nodeFinding(version).state)).toEqual([
    'failure',
    'failure',
  ]);
  expect(['v22.13.0', 'v24.21.0'].map((version) => nodeFinding(version).state)).toEqual(['ok', 'ok']);
  expect(diskFinding('/').text).toMatch(/^\d+ MB free/);
});

function place(home: string, rest: Partial<ServicePlace> = {}): ServicePlace {
  return {
    root: '/home/ada/my "odd" 100% $HOME',
    env: { PATH: '/usr/bin' },
    home,
    platform: 'linux',
    systemd: true,
    node: '/usr/bin/node',
    program: '/opt/tutti/bin/tutti.js',
    ...rest,
  };
}

test('doctor shows the version of git, and one that cannot land work is a failure', () => {
  expect(gitFinding('/usr/bin/git', '2.37.9')).toMatchObject({
    state: 'failure',
    text: '2.37.9 at /usr/bin/git: landing work needs 2.38 or newer',
  });
  expect(gitFinding('/usr/bin/git', '2.38.0')).toMatchObject({ state: 'ok', text: '2.38.0 at /usr/bin/git' });
  expect([gitFinding(null, null).state, gitFinding('/usr/bin/git', null).state]).toEqual([
    'failure',
    'failure',
  ]);
});

test('a service is installed, found, and removed again with nothing left', () => {
  using home = tempFolder();
  const unit = serviceUnit(place(home.path));
  if (!unit.ok) throw new Error(unit.error.message);
  expect(serviceState(unit.value)).toBe('absent');
  expect(installService(unit.value)).toMatchObject({ ok: true });
  expect(installService(unit.value)).toMatchObject({ ok: true });
  expect(serviceState(unit.value)).toBe('installed');
  expect(readFileSync(unit.value.link ?? '', 'utf8')).toBe(unit.value.content);
  writeFileSync(unit.value.path, '[Unit]\n');
  expect(serviceState(unit.value)).toBe('outdated');
  expect(uninstallService(unit.value)).toMatchObject({ ok: true });
  expect(serviceState(unit.value)).toBe('absent');
  expect(contentsOf(home.path).filter((entry) => !entry.endsWith(' folder'))).toEqual([]);
});

test('odd paths stay one word in the unit, and mean themselves', () => {
  const unit = serviceUnit(place('/home/ada', { program: '/opt/a "b" 50%/$x/tutti.js' }));
  const content = unit.ok ? unit.value.content : '';
  expect(content).toContain('ExecStart="/usr/bin/node" "/opt/a \\"b\\" 50%%/$$x/tutti.js" "conductor"');
  expect(content).toContain('WorkingDirectory=/home/ada/my "odd" 100%% $HOME');
});

test('macOS gets a launch agent, and a machine with neither is refused clearly', () => {
  const mac = serviceUnit(place('/Users/ada', { platform: 'darwin', root: '/a & b' }));
  expect(mac).toMatchObject({ ok: true, value: { manager: 'launchd', link: null } });
  expect(mac.ok && mac.value.content).toContain('<string>/a &amp; b</string>');
  for (const rest of [{ systemd: false }, { platform: 'win32' }] as const) {
    expect(serviceUnit(place('/home/ada', rest))).toMatchObject({
      ok: false,
      error: { outcome: 'UNAVAILABLE', hint: expect.stringContaining('tutti resume') },
    });
  }
});

test('a place that cannot be written is told, not thrown', () => {
  using home = tempFolder();
  writeFileSync(join(home.path, '.config'), 'in the way');
  const unit = serviceUnit(place(home.path));
  if (!unit.ok) throw new Error(unit.error.message);
  expect(installService(unit.value)).toMatchObject({ ok: false, error: { outcome: 'UNAVAILABLE' } });
});

test('the service commands say what they did, and a dry run does nothing', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  const service = (...args: readonly string[]) => cli(options, 'service', ...args);
  expect(await service('install', '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^# .*\.service\n\[Unit\]/),
  });
  expect(contentsOf(folder.path)).toEqual([]);
  expect(await service('status')).toMatchObject({
    code: 1,
    out: expect.stringContaining('→ tutti service install'),
  });
  expect(await service('uninstall')).toMatchObject({ code: 0, out: 'it is not installed\n' });
  expect(await service('install')).toMatchObject({
    code: 0,
    out: expect.stringContaining('systemctl --user start tutti-'),
  });
  expect(await service('status', '--json')).toMatchObject({
    code: 0,
    out: expect.stringContaining('"installed"'),
  });
  expect((await service('uninstall', '--dry-run')).out).toContain('would remove');
  expect((await service('uninstall')).out).toContain('removed');
  expect(JSON.parse((await service('install', '--json')).out)).toMatchObject({ state: 'installed' });
  expect(JSON.parse((await service('uninstall', '--json')).out)).toMatchObject({ state: 'absent' });
});

test.for([
  [{ platform: 'linux', systemd: false }, 69],
  [{ platform: 'darwin', systemd: false }, 0],
] as const)('on %j a service would end with %i', async ([machine, code]) => {
  using folder = tempFolder();
  const end = await cli({ folder: folder.path, machine }, 'service', 'install', '--dry-run', '--json');
  expect(end.code).toBe(code);
  expect(code === 0 ? end.err : end.out).toBe('');
});

test('a conductor in the foreground advances what it finds, says so, and ends', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': asking });
  await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  expect(await cli(options, 'conductor')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/started[\s\S]*nothing left to do\n$/),
  });
  const [first = ''] = (await cli(options, 'conductor', '--json')).out.split('\n');
  expect(JSON.parse(first)).toMatchObject({ message: expect.stringContaining('started') });
});

test('a database that breaks under a command is told in one sentence', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': quick });
  await cli(options, 'run', 'flow.yaml');
  const db = new DatabaseSync(join(folder.path, '.tutti', 'tutti.db'));
  db.exec('drop table entries');
  db.close();
  expect(await cli(options, 'status')).toMatchObject({
    code: 69,
    out: '',
    err: expect.stringMatching(/^tutti: cannot use .*no such table.*\n {2}→ .*tutti doctor\n$/),
  });
});

test('completions come from the program itself: commands, options, runs and questions', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  const words = async (...args: readonly string[]) =>
    (await cli(options, '__complete', ...args)).out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
  expect(await words('re')).toEqual(['report', 'resume', 'rebuild', 'recover']);
  expect(await words('conduc')).toEqual(['']);
  expect(await words('run', '--d')).toContain('--detach');
  expect(await words('completions', 'z')).toEqual(['zsh']);
  expect(await words('status', '')).not.toContain('r1');
  write(folder.path, { 'flow.yaml': quick });
  await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  expect(await words('status', 'r')).toEqual(['r1']);
  mkdirSync(join(folder.path, 'empty'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    expect((await cli(options, 'completions', shell)).out).toContain('tutti __complete');
  }
  expect(await cli(options, 'completions', 'tcsh')).toMatchObject({ code: 64, out: '' });
});

const routes = [
  ...commandNames.filter((name) => !partNames.has(name)),
  'conductor',
  ...[...partNames].flatMap(([name, parts]) => parts.map((part) => `${name} ${part}`)),
];

test.for(routes)('`%s` has help with examples, in the glossary’s words', async (route) => {
  using folder = tempFolder();
  const { out: help } = await cli({ folder: folder.path }, 'help', ...route.split(' '));
  expect(help).toMatch(/EXAMPLES\n {2}\S/);
  expect(help).toContain('--json');
  expect(help).not.toMatch(/\b(jobs?|pipelines?|workspace|daemon|persona|ticket|worker)\b/i);
});

test('help may be asked for in any way', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  const overview = (await cli(options, '--help')).out;
  expect(overview).toMatch(/^tutti: turns a specification/);
  expect((await cli(options, 'help', '--all')).out).toMatch(/EXIT CODES\n[\s\S]*69 UNAVAILABLE\n$/);
  expect(overview).not.toContain('conductor  ');
  expect((await cli(options)).out).toBe(overview);
  expect((await cli(options, 'help')).out).toBe(overview);
  expect((await cli(options, 'help', 'run')).out).toBe((await cli(options, 'run', '-h')).out);
  expect((await cli(options, 'service')).out).toContain('tutti service install --dry-run');
  const session = (await cli(options, 'session')).out;
  expect(session).toContain('  tutti session create [OPTIONS] <AGENT> <PROMPT-FILE>\n');
  expect(session).toMatch(/EXAMPLES\n {2}tutti session create/);
});

test.each([['.tutti'], ['.tutti/tutti.db', '.tutti/runs', '.tutti/id'], ['.tutti/tutti.db']])(
  'where %s was removed and its runs are kept, the doctor names recover',
  async (...gone) => {
    using folder = tempFolder();
    const project = join(folder.path, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'flow.yaml'), JSON.stringify({ steps: [{ id: 'a', command: ['true'] }] }));
    const tutti = (...words: readonly string[]) =>
      cli({ folder: project, env: { HOME: folder.path }, stdin: '' }, ...words);
    expect((await tutti('run', 'flow.yaml')).code).toBe(0);
    for (const path of gone) rmSync(join(project, path), { recursive: true });
    const { out } = await tutti('doctor');
    expect(out).toMatch(/ database +[^\n]*\n {2}→ restore (?:it|its runs): tutti recover\n/);
    expect(out).not.toContain('none yet');
    expect((await tutti('recover')).code).toBe(0);
    expect((await tutti('doctor')).out).toMatch(/✔ database /);
  },
);
