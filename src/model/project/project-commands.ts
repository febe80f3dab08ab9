import type { JsonObject } from '../../lib/json.ts';
import { type NodeManager, nodeManager, pythonManager } from './package-manager.ts';
import { hasFile, jsonIn, objectMember, type ProjectFiles, textIn } from './project-files.ts';

/** A command that judges the whole project, in the words that a person would type. */
export interface ProjectCommand {
  readonly kind: CommandKind;
  readonly command: string;
}

type CommandKind = 'test' | 'lint' | 'types';
const commandKinds: readonly CommandKind[] = ['test', 'lint', 'types'];

/** The project's own tests, linters and type checks, as its files show them. A plan for it must keep them passing. */
export function projectCommands(project: ProjectFiles): readonly ProjectCommand[] {
  const languages = [...nodeCommands(project), ...pythonCommands(project), ...compiledCommands(project)];
  const make = makeCommands(project);
  const found = commandKinds.flatMap((kind) => {
    const own = languages.filter((command) => command.kind === kind);
    // A target of make usually wraps the tool that was found: running both would run everything twice.
    return own.length > 0 ? own : make.filter((command) => command.kind === kind);
  });
  return found.filter(({ command }, index) => found.findIndex((each) => each.command === command) === index);
}

function commandOf(kind: CommandKind, command: string): ProjectCommand {
  return { kind, command };
}

const scriptNames: Readonly<Record<CommandKind, readonly string[]>> = {
  test: ['test'],
  lint: ['lint'],
  types: ['typecheck', 'type-check', 'check-types', 'types', 'tsc'],
};

function nodeCommands(project: ProjectFiles): readonly ProjectCommand[] {
  const manager = nodeManager(project);
  if (manager === null) return [];
  const tasks = { ...denoTasks(project), ...scriptsIn(jsonIn(project, 'package.json')) };
  const scripted = commandKinds.flatMap((kind) => {
    const name = scriptNames[kind].find((script) => Object.hasOwn(tasks, script));
    return name === undefined ? [] : [commandOf(kind, scriptWith(manager, name))];
  });
  if (Object.hasOwn(tasks, 'test')) return scripted;
  const runner = testRunner(project, manager);
  return runner === null ? scripted : [commandOf('test', runner), ...scripted];
}

/** What `npm init` writes always fails, and means that there are no tests. */
const noTests = /no test specified/;

function scriptsIn(manifest: JsonObject | null): Readonly<Record<string, string>> {
  const scripts = Object.entries(objectMember(manifest, 'scripts'));
  return Object.fromEntries(
    scripts.flatMap(([name, script]) =>
      typeof script === 'string' && script.trim() !== '' && !noTests.test(script) ? [[name, script]] : [],
    ),
  );
}

function denoTasks(project: ProjectFiles): JsonObject {
  const config = jsonIn(project, 'deno.json') ?? jsonIn(project, 'deno.jsonc');
  return objectMember(config, 'tasks');
}

function scriptWith(manager: NodeManager, script: string): string {
  switch (manager) {
    case 'deno':
      return `deno task ${script}`;
    case 'bun':
      return `bun run ${script}`;
    case 'npm':
    case 'pnpm':
    case 'yarn':
      return script === 'test' ? `${manager} test` : `${manager} run ${script}`;
  }
}

/** Runners by the package that brings them, with the words that run all tests once. */
const runners: Readonly<Record<string, string>> = {
  vitest: 'vitest run',
  jest: 'jest',
  ava: 'ava',
  mocha: 'mocha',
};

const execWords: Readonly<Record<NodeManager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
  deno: 'npx',
};

const bunTest = /(?:^|\/)[^/]*[._](?:test|spec)\.[cm]?[jt]sx?$/;
const denoTest = /(?:^|\/)(?:[^/]*[._])?test\.[cm]?[jt]sx?$/;
/** The files that `node --test` finds by itself. */
const nodeTest =
  /(?:^|\/)(?:test\.[cm]?js|test-[^/]*\.[cm]?js|[^/]*[.\-_]test\.[cm]?js)$|(?:^|\/)test\/(?:.*\/)?[^/]+\.[cm]?js$/;

/** How the tests are run where no script says it: by the runner that is depended on, or by the platform's own. */
function testRunner(project: ProjectFiles, manager: NodeManager): string | null {
  const manifest = jsonIn(project, 'package.json');
  const depends = { ...objectMember(manifest, 'dependencies'), ...objectMember(manifest, 'devDependencies') };
  const packaged = Object.entries(runners).find(([name]) => Object.hasOwn(depends, name));
  if (packaged !== undefined) return `${execWords[manager]} ${packaged[1]}`;
  const some = (shape: RegExp): boolean => project.entries.some((path) => shape.test(path));
  if (manager === 'bun' && some(bunTest)) return 'bun test';
  if (manager === 'deno' && some(denoTest)) return 'deno test';
  return inPackages(project, manager) ?? (manager !== 'deno' && some(nodeTest) ? 'node --test' : null);
}

/** A monorepo whose root has no tests: those of its packages. */
function inPackages(project: ProjectFiles, manager: NodeManager): string | null {
  const isMonorepo =
    hasFile(project, 'pnpm-workspace.yaml') || jsonIn(project, 'package.json')?.['workspaces'] !== undefined;
  const inner = Object.keys(project.texts).filter((path) => path.endsWith('/package.json'));
  if (!isMonorepo || !inner.some((path) => Object.hasOwn(scriptsIn(jsonIn(project, path)), 'test')))
    return null;
  if (manager === 'pnpm') return 'pnpm -r test';
  return manager === 'npm' ? 'npm test --workspaces --if-present' : null;
}

function pythonCommands(project: ProjectFiles): readonly ProjectCommand[] {
  const manager = pythonManager(project);
  if (manager === null) return [];
  const run = manager === 'pip' ? '' : `${manager} run `;
  const tables = ['pyproject.toml', 'setup.cfg', 'tox.ini'].map((name) => textIn(project, name)).join('\n');
  const has = (...names: readonly string[]): boolean => names.some((name) => hasFile(project, name));
  const table = (name: string): boolean => new RegExp(`^\\[${name}[.:\\]]`, 'm').test(tables);
  const tests = pythonTests(project, run, table);
  return [
    ...(tests === null ? [] : [commandOf('test', tests)]),
    ...(table('tool\\.ruff') || has('ruff.toml', '.ruff.toml')
      ? [commandOf('lint', `${run}ruff check`)]
      : []),
    ...(table('flake8') || has('.flake8') ? [commandOf('lint', `${run}flake8`)] : []),
    ...(table('tool\\.mypy') || table('mypy') || has('mypy.ini') ? [commandOf('types', `${run}mypy .`)] : []),
    ...(table('tool\\.pyright') || has('pyrightconfig.json') ? [commandOf('types', `${run}pyright`)] : []),
  ];
}

/** tox and nox know how everything else is run; pytest is found by its settings, or by whoever depends on it. */
function pythonTests(project: ProjectFiles, run: string, table: (name: string) => boolean): string | null {
  const has = (name: string): boolean => hasFile(project, name);
  if (has('tox.ini') || has('tox.toml') || table('tool\\.tox') || table('tox')) return 'tox';
  if (has('noxfile.py')) return 'nox';
  const named = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'setup.py', 'setup.cfg'];
  if (
    has('pytest.ini') ||
    has('conftest.py') ||
    named.some((name) => /\bpytest\b/.test(textIn(project, name)))
  )
    return `${run}pytest`;
  const test = project.entries.find((path) => /(?:^|\/)test_[^/]*\.py$/.test(path));
  if (test === undefined) return null;
  const folder = test.includes('/') ? ` discover -s ${test.slice(0, test.indexOf('/'))}` : '';
  return `${run}${run === '' ? 'python3' : 'python'} -m unittest${folder}`;
}

function compiledCommands(project: ProjectFiles): readonly ProjectCommand[] {
  return [
    ...(hasFile(project, 'Cargo.toml') ? [commandOf('test', 'cargo test')] : []),
    ...(hasFile(project, 'go.mod') ? [commandOf('test', 'go test ./...')] : []),
  ];
}

const makeTargets: Readonly<Record<CommandKind, readonly string[]>> = {
  test: ['test', 'check'],
  lint: ['lint'],
  types: ['typecheck', 'types'],
};

function makeCommands(project: ProjectFiles): readonly ProjectCommand[] {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => textIn(project, name)).join('\n');
  return commandKinds.flatMap((kind) => {
    const target = makeTargets[kind].find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text));
    return target === undefined ? [] : [commandOf(kind, `make ${target}`)];
  });
}
