import { join } from 'node:path';

/**
 * The variable by which a tool keeps its cache elsewhere, and the folder it gets. A cache that sandboxed agents shared with
 * the person would let them plant what the person builds or runs later.
 */
const folders: Readonly<Record<string, string>> = {
  npm_config_cache: 'npm',
  PNPM_HOME: 'pnpm',
  YARN_GLOBAL_FOLDER: 'yarn',
  BUN_INSTALL_CACHE_DIR: 'bun',
  DENO_DIR: 'deno',
  PIP_CACHE_DIR: 'pip',
  UV_CACHE_DIR: 'uv',
  POETRY_CACHE_DIR: 'poetry',
  CARGO_HOME: 'cargo',
  GOCACHE: 'go-build',
  GOMODCACHE: 'go-mod',
  GRADLE_USER_HOME: 'gradle',
  CCACHE_DIR: 'ccache',
};

/** Settings that a tool looks for beside its cache, such as registries and their keys: the person's own, read-only. */
const settings: Readonly<Record<string, string>> = {
  'cargo/config.toml': '.cargo/config.toml',
  'cargo/credentials.toml': '.cargo/credentials.toml',
  'gradle/gradle.properties': '.gradle/gradle.properties',
};

/** The folder of a project's caches, opened in its sandbox. What its agents downloaded once, all of them find again. */
export function cacheArguments(folder: string, home: string): readonly string[] {
  const variables = Object.entries(folders).map(([name, below]) => [name, join(folder, below)] as const);
  const repository = ['MAVEN_ARGS', `-Dmaven.repo.local=${join(folder, 'maven')}`] as const;
  return [
    '--bind',
    folder,
    folder,
    ...Object.entries(settings).flatMap(([at, own]) => ['--ro-bind-try', join(home, own), join(folder, at)]),
    ...[...variables, repository].flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}
