import { type Argv, hasFile, jsonIn, type ProjectFiles, textIn } from './project-files.ts';

/** A tool that installs what a project depends on, with the lock files that it wrote. */
export interface PackageManager {
  readonly name: ManagerName;
  /** Those that are there. */
  readonly locks: readonly string[];
  /** How a workspace is prepared; null: nothing says what to install. */
  readonly setup: Argv | null;
}

export type ManagerName = NodeManager | 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'pip' | 'cargo' | 'go';
export type NodeManager = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'deno';

const lockNames: Readonly<Record<ManagerName, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  deno: ['deno.lock'],
  uv: ['uv.lock'],
  poetry: ['poetry.lock'],
  pdm: ['pdm.lock'],
  pipenv: ['Pipfile.lock'],
  pip: [],
  cargo: ['Cargo.lock'],
  go: ['go.sum'],
};

/** A workspace is prepared again when one of these has changed. */
export const allLockNames: readonly string[] = Object.values(lockNames).flat();

/** Every tool that the project uses, one for each language. */
export function packageManagers(project: ProjectFiles): readonly PackageManager[] {
  const names = [nodeManager(project), pythonManager(project), ...compiled(project)];
  return names.flatMap((name) => (name === null ? [] : [managerOf(project, name)]));
}

/** Commands that prepare a checkout of the project, from its lock files alone: `workspace.setup` where none is configured. */
export function proposeSetup(project: ProjectFiles): readonly Argv[] {
  return packageManagers(project).flatMap(({ setup }) => (setup === null ? [] : [setup]));
}

function managerOf(project: ProjectFiles, name: ManagerName): PackageManager {
  const locks = lockNames[name].filter((lock) => hasFile(project, lock));
  return { name, locks, setup: name === 'pip' || locks.length === 0 ? null : setupWith(project, name) };
}

/** The field `packageManager` decides, then the lock file; npm comes with Node. */
export function nodeManager(project: ProjectFiles): NodeManager | null {
  const isDeno = ['deno.json', 'deno.jsonc'].some((name) => hasFile(project, name));
  if (!hasFile(project, 'package.json')) return isDeno ? 'deno' : null;
  const { name } = declaredManager(project);
  const named = nodeManagers.find((manager) => manager === name);
  const locked = nodeManagers.find((manager) => lockNames[manager].some((lock) => hasFile(project, lock)));
  return named ?? locked ?? (isDeno ? 'deno' : 'npm');
}

const nodeManagers = ['pnpm', 'yarn', 'bun', 'npm', 'deno'] as const;

/** `pnpm@9.1.0+sha512.…` */
function declaredManager(project: ProjectFiles): { readonly name: string; readonly major: number | null } {
  const declared = jsonIn(project, 'package.json')?.['packageManager'];
  const parts = typeof declared === 'string' ? /^([a-z]+)@(\d+)/.exec(declared) : null;
  return { name: parts?.[1] ?? '', major: parts === null ? null : Number(parts[2]) };
}

export function pythonManager(
  project: ProjectFiles,
): Extract<ManagerName, 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'pip'> | null {
  const locked = pythonManagers.find((manager) => lockNames[manager].some((lock) => hasFile(project, lock)));
  if (locked !== undefined) return locked;
  const tables = textIn(project, 'pyproject.toml');
  const named = pythonManagers.find((manager) => new RegExp(`^\\[tool\\.${manager}[.\\]]`, 'm').test(tables));
  if (named !== undefined) return named;
  const python = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'noxfile.py'];
  return python.some((name) => hasFile(project, name)) ? 'pip' : null;
}

const pythonManagers = ['uv', 'poetry', 'pdm', 'pipenv'] as const;

function compiled(project: ProjectFiles): readonly ManagerName[] {
  return [
    ...(hasFile(project, 'Cargo.toml') ? (['cargo'] as const) : []),
    ...(hasFile(project, 'go.mod') ? (['go'] as const) : []),
  ];
}

function setupWith(project: ProjectFiles, name: Exclude<ManagerName, 'pip'>): Argv {
  switch (name) {
    case 'npm':
      return ['npm', 'ci'];
    case 'pnpm':
      return ['pnpm', 'install', '--frozen-lockfile'];
    case 'yarn':
      return ['yarn', 'install', isModernYarn(project) ? '--immutable' : '--frozen-lockfile'];
    case 'bun':
      return ['bun', 'install', '--frozen-lockfile'];
    case 'deno':
      return ['deno', 'install', '--frozen'];
    case 'uv':
      return ['uv', 'sync', '--frozen'];
    case 'poetry':
      return ['poetry', 'install', '--no-interaction'];
    case 'pdm':
      return ['pdm', 'install', '--frozen-lockfile'];
    case 'pipenv':
      return ['pipenv', 'sync', '--dev'];
    case 'cargo':
      return ['cargo', 'fetch', '--locked'];
    case 'go':
      return ['go', 'mod', 'download'];
  }
}

/** Yarn 2 and later write a lock file of another form, and call the flag otherwise. */
function isModernYarn(project: ProjectFiles): boolean {
  const { name, major } = declaredManager(project);
  if (name === 'yarn' && major !== null) return major >= 2;
  return /^__metadata:/m.test(textIn(project, 'yarn.lock'));
}
