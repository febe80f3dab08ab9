import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProgram } from '../lib/find-program.ts';
import { isWithin } from '../lib/path-below.ts';
import type { SandboxConfig, SessionSandbox } from '../model/sandbox.ts';
import { bubbleProblem } from './bubble-probe.ts';
import { findGuards, type Guard, type GuardedFolder, holdersOf, stateOfGuard } from './guards.ts';
import { cacheArguments } from './package-caches.ts';
import { guardRecord } from './guard-record.ts';
import { recordGuards } from './put-aside.ts';
import { factsOf } from './trust-root.ts';
import { isHidden, type ProgramPlace, visibleFolders } from './visible-programs.ts';

/** What a sandboxed process may touch. All paths are absolute. */
export interface SandboxPlace extends ProgramPlace {
  readonly projectDir: string;
  readonly workspace: string;
  /** `look`: nothing in the workspace can be changed; what a command has to write goes to the temporary folder. */
  readonly workspaceFor: 'work' | 'look';
  readonly sessionDir: string;
  readonly addDirs: readonly string[];
  readonly home: string;
  /** A checkout is the person's own, who runs programs in it; the other kind is made by Tutti for one task. */
  readonly workspaceKind: 'checkout' | 'task';
  /** Files in the workspace, the project and added directories that the person's own CLIs would run, relative to them. */
  readonly guarded: readonly string[];
  /** Where its CLI keeps its own files, absolute or relative to the home. */
  readonly homes: readonly string[];
  /** Of those files, what agents may read and not write. */
  readonly homeGuards: readonly string[];
  /** Where package managers and compilers keep their caches instead of the home. */
  readonly cacheDir: string;
  /** In its session's folder: where it asks Tutti outside to carry out commands. */
  readonly requests: string;
  /** Where Tutti answers, which it may read and not write. */
  readonly answers: AnswerPlaces;
  /** It talks to a person through this terminal. */
  readonly hasTerminal: boolean;
}

interface AnswerPlaces {
  /** Holds the answers of all sessions. */
  readonly all: string;
  readonly own: string;
}

type Argv = readonly [string, ...string[]];

/** Of the person's home, where nothing but a secret is. */
const secretFolders = ['.ssh', '.gnupg', '.aws', '.config/gcloud', '.kube', '.docker', '.netrc', '.npmrc'];

/** What a mode needs, and by which command it is installed. */
const bwrap = ['bwrap', 'apt-get install bubblewrap'] as const;
const tools: Readonly<
  Record<Exclude<SessionSandbox['mode'], 'off'>, readonly (readonly [string, string])[]>
> = {
  workspace: [bwrap],
  strict: [
    ['srt', 'npm install -g @anthropic-ai/sandbox-runtime'],
    bwrap,
    ['socat', 'apt-get install socat'],
    ['rg', 'apt-get install ripgrep'],
  ],
};

/** Null: the mode works here. A sandbox that was asked for is never left out silently; `auto` asks for none. */
export function sandboxProblem({ mode }: SandboxConfig, searchPath: string | undefined): string | null {
  if (mode === 'off' || mode === 'auto') return null;
  const missing = tools[mode].filter(([program]) => findProgram(program, searchPath) === null);
  if (missing.length === 0) {
    const problem = bubbleProblem(searchPath);
    return problem === null ? null : `sandbox: ${mode} is impossible: ${problem}; use sandbox: auto`;
  }
  const names = missing.map(([program]) => program).join(', ');
  const installs = missing.map(([, install]) => install).join(', and: ');
  return `sandbox: ${mode} needs ${names}, which is not on PATH: ${installs}`;
}

/** The same program, in its sandbox. */
export function sandboxed(argv: Argv, config: SessionSandbox, place: SandboxPlace): Argv {
  if (config.mode === 'off') return argv;
  const { workspace } = place;
  const folders = guardedFolders(place);
  const guards = findGuards(folders);
  recordGuards(place.sessionDir, watchedFolders(place, folders), guards);
  const bubble = bubbleArguments(argv, config, place, guards);
  switch (config.mode) {
    case 'workspace': {
      const own = ['--proc', '/proc', '--chdir', workspace];
      return ['bwrap', ...bubble, ...own, '--', ...argv];
    }
    case 'strict': {
      // In the same bubble as `workspace`, which is what guards places inside the workspace: what `srt` denies to write it
      // denies with all that is below. It begins in a folder that is gone afterwards, because it lays files over names that
      // are not there (`.bashrc`, `.gitconfig`, …), with which `git add` fails and which stay when it is killed. Processes
      // are counted again by its own bubble, for which it must see the system's.
      const own = ['--bind', '/proc', '/proc', '--setenv', 'CLAUDE_CODE_TMPDIR', '/tmp', '--chdir', '/tmp'];
      const inWorkspace = ['sh', '-c', 'cd "$0" && exec "$@"', workspace];
      const held = ['srt', '--settings', writeSettings(config, place), '--', ...inWorkspace, ...argv];
      return ['bwrap', ...bubble, ...own, '--', ...held];
    }
  }
}

/** Later mounts lie over earlier ones, so the order is from the widest to the narrowest. */
function bubbleArguments(
  argv: Argv,
  config: SessionSandbox,
  place: SandboxPlace,
  guards: readonly Guard[],
): readonly string[] {
  const { projectDir, workspace, sessionDir, addDirs, home, homeGuards, cacheDir, hasTerminal } = place;
  const bind = place.workspaceFor === 'work' ? '--bind' : '--ro-bind';
  const started = config.mode === 'strict' ? [['srt'], argv] : [argv];
  const readable = [
    ...started.flatMap((words) => visibleFolders(words, place)),
    ...[home, projectDir].filter(isHidden),
  ];
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--tmpfs', '/tmp', '--setenv', 'TMPDIR', '/tmp'];
  // The sockets of the person's own services, which would start programs outside.
  const services = existsSync('/run/user') ? ['--tmpfs', '/run/user'] : [];
  const apart = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'];
  return [
    ...system,
    ...services,
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    bind,
    workspace,
    workspace,
    ...addDirs.flatMap((path) => ['--bind', path, path]),
    ...holdersOf(guards).flatMap((path) => holdArguments(place, path)),
    ...guards
      .filter(({ path }) => stateOfGuard(path) === 'there')
      .flatMap(({ path }) => ['--ro-bind-try', path, path]),
    ...plansOf(place).flatMap(planArguments),
    '--bind',
    sessionDir,
    sessionDir,
    '--ro-bind',
    guardRecord(sessionDir),
    guardRecord(sessionDir),
    ...writable(config, place).flatMap((path) => ['--bind-try', path, path]),
    ...homeGuards
      .map((name) => realPath(resolve(home, name)))
      .flatMap((path) => ['--ro-bind-try', path, path]),
    ...cacheArguments(cacheDir, home),
    ...relayArguments(place),
    ...apart,
    ...(hasTerminal ? [] : ['--new-session']),
  ];
}

/** Nobody can move a place away on which something is mounted, so no link can take the place of the requests. */
function relayArguments({ requests, answers }: SandboxPlace): readonly string[] {
  const hidden = ['--tmpfs', answers.all, '--ro-bind', answers.own, answers.own, '--remount-ro', answers.all];
  return ['--bind', requests, requests, ...hidden];
}

function writeSettings(config: SessionSandbox, place: SandboxPlace): string {
  const { workspace, workspaceFor, sessionDir, addDirs, home, cacheDir } = place;
  const own = workspaceFor === 'work' ? [workspace] : [];
  const path = join(sessionDir, 'sandbox.json');
  const settings = {
    network: { allowedDomains: [...config.domains], deniedDomains: [] },
    filesystem: {
      denyRead: secretFolders.map((name) => join(home, name)),
      allowRead: [],
      allowWrite: [...own, ...addDirs, sessionDir, cacheDir, '/tmp', ...writable(config, place)],
      denyWrite: [],
    },
  };
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
  return path;
}

function guardedFolders({ projectDir, workspace, addDirs, guarded }: SandboxPlace): readonly GuardedFolder[] {
  const added = addDirs.filter((path) => !isWithin(join(projectDir, '.tutti'), path));
  return [...new Set([projectDir, workspace, ...added])].map((root) => ({ root, cliFiles: guarded }));
}

/** Where the agent can make files that the person's own programs find. */
function watchedFolders(
  { workspace, workspaceKind, workspaceFor, addDirs }: SandboxPlace,
  folders: readonly GuardedFolder[],
): readonly GuardedFolder[] {
  const own = workspaceKind === 'checkout' && workspaceFor === 'work' ? [workspace] : [];
  return folders.filter(({ root }) => [...own, ...addDirs].some((path) => isWithin(path, root)));
}

/** On a place where something is mounted no process can put anything else. */
function holdArguments({ workspace, workspaceFor, addDirs }: SandboxPlace, path: string): readonly string[] {
  if (factsOf(path)?.isDirectory() !== true) return [];
  if (addDirs.some((root) => isWithin(root, path))) return ['--bind-try', path, path];
  if (!isWithin(workspace, path)) return [];
  return [workspaceFor === 'work' ? '--bind-try' : '--ro-bind-try', path, path];
}

/** What Tutti itself writes there, so that nobody puts a link in its place. */
const ownOfPlan = ['inputs', 'bundles'];

function planArguments(plan: string): readonly string[] {
  const own = ownOfPlan.map((name) => join(plan, name));
  return ['--bind', plan, plan, ...own.flatMap((path) => ['--ro-bind-try', path, path])];
}

/** The folder of a plan is in what is guarded, and its files are what planning agents are there to write. */
function plansOf({ projectDir, addDirs }: SandboxPlace): readonly string[] {
  const plans = join(projectDir, '.tutti', 'plans');
  return addDirs.filter((path) => path !== plans && isWithin(plans, path));
}

function writable({ write }: SessionSandbox, { home, homes }: SandboxPlace): readonly string[] {
  const named = write.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : path));
  return [...homes.map((name) => resolve(home, name)), ...named].map(realPath);
}

/** Where a person's own link leads, as people have it whose settings are in a repository. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
