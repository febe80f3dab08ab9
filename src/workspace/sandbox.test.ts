import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import type { SandboxConfig } from '../model/sandbox.ts';
import { sandboxed, type SandboxPlace, sandboxProblem } from './sandbox.ts';

const workspaceMode: SandboxConfig = { mode: 'workspace', write: ['~/allowed'], domains: [] };

function stage(root: string): SandboxPlace {
  const place = {
    projectDir: join(root, 'project'),
    workspace: join(root, 'project'),
    sessionDir: join(root, 'project/.tutti/sessions/s1'),
    addDirs: [join(root, 'shared')],
    home: join(root, 'home'),
    homes: ['.agent'],
    hasTerminal: false,
  };
  for (const name of [
    'project/.git/hooks',
    'project/.tutti/sessions/s1',
    'shared',
    'home/.agent',
    'home/allowed',
  ]) {
    mkdirSync(join(root, name), { recursive: true });
  }
  writeFileSync(join(root, 'project/.git/config'), '[core]\n');
  writeFileSync(join(root, 'project/tutti.yaml'), '');
  writeFileSync(join(root, 'project/.tutti/tutti.db'), 'truth');
  return place;
}

/** What could be written, of these. */
function written(place: SandboxPlace, config: SandboxConfig, paths: readonly string[]): readonly string[] {
  const script = 'for path; do (echo x >"$path") 2>/dev/null; done; exit 7';
  const [program, ...args] = sandboxed(['sh', '-c', script, 'sh', ...paths], config, place);
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(7);
  return paths.filter((path) => existsSync(path) && readFileSync(path, 'utf8') === 'x\n');
}

test('an agent writes where its session lets it, and nowhere else; its exit code stays', () => {
  using folder = tempFolder();
  const place = stage(folder.path);
  const at = (name: string): string => join(folder.path, name);
  const may = [
    'project/new.txt',
    'shared/a',
    'project/.tutti/sessions/s1/result.json',
    'home/.agent/t',
    'home/allowed/x',
  ];
  const mayNot = [
    'outside.txt',
    'home/.bashrc',
    'project/.git/hooks/pre-commit',
    'project/.git/config',
    'project/tutti.yaml',
    'project/.tutti/tutti.db',
    'project/.tutti/sessions/other',
  ];
  expect(written(place, workspaceMode, [...may, ...mayNot].map(at))).toEqual(may.map(at));
  // The control: without the sandbox everything can be written.
  const all = written(place, { ...workspaceMode, mode: 'off' }, [...may, ...mayNot].map(at));
  expect(all).toHaveLength(may.length + mayNot.length);
});

test('nobody else’s processes are seen from inside', () => {
  using folder = tempFolder();
  const [program, ...args] = sandboxed(['sh', '-c', 'ls -d /proc/[0-9]*'], workspaceMode, stage(folder.path));
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' });
  expect(stdout.trim().split('\n').length).toBeLessThan(6);
});

test('a sandbox that was asked for and is not there is a sentence with the command that installs it', () => {
  expect(sandboxProblem(workspaceMode, process.env['PATH'])).toBeNull();
  expect(sandboxProblem(workspaceMode, '/nowhere')).toBe(
    'sandbox: workspace needs bwrap, which is not on PATH: apt-get install bubblewrap',
  );
  expect(sandboxProblem({ ...workspaceMode, mode: 'strict' }, '/nowhere')).toContain('needs srt');
  expect(sandboxProblem({ ...workspaceMode, mode: 'off' }, '/nowhere')).toBeNull();
});

test('strict names the hosts that may be reached and the secrets that may not be read', () => {
  using folder = tempFolder();
  const place = stage(folder.path);
  const strict: SandboxConfig = { mode: 'strict', write: [], domains: ['api.example.com'] };
  const argv = sandboxed(['agent', '-p'], strict, place);
  expect(argv.slice(0, 2)).toEqual(['srt', '--settings']);
  expect(argv.slice(3)).toEqual(['--', 'agent', '-p']);
  expect(JSON.parse(readFileSync(argv[2] ?? '', 'utf8'))).toMatchObject({
    network: { allowedDomains: ['api.example.com'] },
    filesystem: {
      denyRead: expect.arrayContaining([join(place.home, '.ssh')]),
      allowWrite: expect.arrayContaining([place.workspace, place.sessionDir]),
      denyWrite: expect.arrayContaining([join(place.projectDir, '.git/hooks')]),
    },
  });
});
