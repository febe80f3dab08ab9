import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../lib/find-program.ts';
import { isWithin } from '../lib/path-below.ts';
import type { SandboxConfig, SandboxMode } from '../model/sandbox.ts';

/** What a sandboxed process may touch. All paths are absolute. */
export interface SandboxPlace {
  readonly projectDir: string;
  readonly workspace: string;
  readonly sessionDir: string;
  readonly addDirs: readonly string[];
  readonly home: string;
  /** Where its CLI keeps its own files, relative to the home. */
  readonly homes: readonly string[];
  /** It talks to a person through this terminal. */
  readonly hasTerminal: boolean;
}

type Argv = readonly [string, ...string[]];

/**
 * Inside the workspace, and still not for agents: what runs programs later with somebody else's rights, and Tutti's own
 * truth.
 */
const guarded = [
  '.git/hooks',
  '.git/config',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.mcp.json',
  'tutti.yaml',
  '.tutti',
];
/** Of the person's home, where nothing but a secret is. */
const secretFolders = ['.ssh', '.gnupg', '.aws', '.config/gcloud', '.kube', '.docker', '.netrc', '.npmrc'];

const tools: Readonly<Record<Exclude<SandboxMode, 'off'>, readonly [program: string, install: string]>> = {
  workspace: ['bwrap', 'apt-get install bubblewrap'],
  strict: [
    'srt',
    'npm install -g @anthropic-ai/sandbox-runtime, and: apt-get install bubblewrap socat ripgrep',
  ],
};

/** Null: what the mode needs is there. A sandbox that was asked for is never left out silently. */
export function sandboxProblem({ mode }: SandboxConfig, searchPath: string | undefined): string | null {
  if (mode === 'off') return null;
  const [program, install] = tools[mode];
  if (findProgram(program, searchPath) !== null) return null;
  return `sandbox: ${mode} needs ${program}, which is not on PATH: ${install}`;
}

/** The same program, in its sandbox. */
export function sandboxed(argv: Argv, config: SandboxConfig, place: SandboxPlace): Argv {
  switch (config.mode) {
    case 'off':
      return argv;
    case 'workspace':
      return ['bwrap', ...bubbleArguments(config, place), '--', ...argv];
    case 'strict':
      return ['srt', '--settings', writeSettings(config, place), '--', ...argv];
  }
}

/** Later mounts lie over earlier ones, so the order is from the widest to the narrowest. */
function bubbleArguments(config: SandboxConfig, place: SandboxPlace): readonly string[] {
  const { projectDir, workspace, sessionDir, addDirs, home, hasTerminal } = place;
  const readable = [home, projectDir].filter((folder) => isWithin('/tmp', folder));
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const apart = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'];
  return [
    ...system,
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...[workspace, ...addDirs].flatMap((path) => ['--bind', path, path]),
    ...guardedPaths(place).flatMap((path) => ['--ro-bind-try', path, path]),
    '--bind',
    sessionDir,
    sessionDir,
    ...writable(config, place).flatMap((path) => ['--bind-try', path, path]),
    ...apart,
    ...(hasTerminal ? [] : ['--new-session']),
    '--chdir',
    workspace,
  ];
}

function writeSettings(config: SandboxConfig, place: SandboxPlace): string {
  const { workspace, sessionDir, addDirs, home } = place;
  const path = join(sessionDir, 'sandbox.json');
  const settings = {
    network: { allowedDomains: [...config.domains], deniedDomains: [] },
    filesystem: {
      denyRead: secretFolders.map((name) => join(home, name)),
      allowRead: [],
      allowWrite: [workspace, ...addDirs, sessionDir, '/tmp', ...writable(config, place)],
      denyWrite: [...guardedPaths(place)],
    },
  };
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
  return path;
}

function guardedPaths({ projectDir, workspace }: SandboxPlace): readonly string[] {
  const roots = [...new Set([projectDir, workspace])];
  return roots.flatMap((root) => guarded.map((name) => join(root, name)));
}

function writable({ write }: SandboxConfig, { home, homes }: SandboxPlace): readonly string[] {
  const named = write.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : path));
  return [...homes.map((name) => join(home, name)), ...named];
}
