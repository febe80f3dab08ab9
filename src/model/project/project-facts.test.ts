import { expect, test } from 'vitest';
import {
  allLockNames,
  nodeManager,
  packageManagers,
  proposeSetup,
  pythonManager,
} from './package-manager.ts';
import { projectCommands } from './project-commands.ts';
import { hasSources, jsonIn, objectMember, type ProjectFiles, textIn } from './project-files.ts';

/** A project of these files; texts of manifests are known, others are names only. */
function project(files: Readonly<Record<string, string>>): ProjectFiles {
  return { entries: Object.keys(files).toSorted(), texts: files };
}

const json = (value: object): string => JSON.stringify(value);
const scripts = json({ scripts: { test: 'x', lint: 'y', typecheck: 'z' } });

test.for([
  ['npm by its lock', { 'package.json': '{}', 'package-lock.json': '' }, ['npm ci']],
  ['npm by its shrinkwrap', { 'package.json': '{}', 'npm-shrinkwrap.json': '' }, ['npm ci']],
  ['npm without a lock', { 'package.json': '{}' }, []],
  ['pnpm', { 'package.json': '{}', 'pnpm-lock.yaml': '' }, ['pnpm install --frozen-lockfile']],
  [
    'the declared manager before a lock of another one',
    { 'package.json': json({ packageManager: 'pnpm@9.1.0' }), 'pnpm-lock.yaml': '', 'package-lock.json': '' },
    ['pnpm install --frozen-lockfile'],
  ],
  [
    'a declared manager without its lock',
    { 'package.json': json({ packageManager: 'pnpm@9.1.0' }), 'package-lock.json': '' },
    [],
  ],
  [
    'yarn 1',
    { 'package.json': '{}', 'yarn.lock': '# yarn lockfile v1\n' },
    ['yarn install --frozen-lockfile'],
  ],
  [
    'yarn 4 by its lock',
    { 'package.json': '{}', 'yarn.lock': '__metadata:\n  version: 8\n' },
    ['yarn install --immutable'],
  ],
  [
    'yarn 4 by its declaration',
    { 'package.json': json({ packageManager: 'yarn@4.9.1' }), 'yarn.lock': '' },
    ['yarn install --immutable'],
  ],
  ['bun', { 'package.json': '{}', 'bun.lock': '' }, ['bun install --frozen-lockfile']],
  ['deno', { 'deno.json': '{}', 'deno.lock': '{}' }, ['deno install --frozen']],
  ['deno without a lock', { 'deno.jsonc': '{}' }, []],
  ['uv', { 'pyproject.toml': '', 'uv.lock': '' }, ['uv sync --frozen']],
  ['poetry', { 'pyproject.toml': '', 'poetry.lock': '' }, ['poetry install --no-interaction']],
  ['pdm', { 'pyproject.toml': '', 'pdm.lock': '' }, ['pdm install --frozen-lockfile']],
  ['pipenv', { Pipfile: '', 'Pipfile.lock': '' }, ['pipenv sync --dev']],
  ['pip', { 'requirements.txt': 'flask' }, []],
  ['cargo', { 'Cargo.toml': '', 'Cargo.lock': '' }, ['cargo fetch --locked']],
  ['go', { 'go.mod': '', 'go.sum': '' }, ['go mod download']],
  [
    'two languages',
    { 'package.json': '{}', 'package-lock.json': '', 'pyproject.toml': '', 'uv.lock': '' },
    ['npm ci', 'uv sync --frozen'],
  ],
  ['nothing', {}, []],
] as const)('setup is proposed for %s', ([, files, wanted]) => {
  expect(proposeSetup(project(files)).map((argv) => argv.join(' '))).toEqual(wanted);
});

test('every proposed setup comes from a lock file whose change prepares a workspace again', () => {
  const managers = packageManagers(
    project({ 'package.json': '{}', 'bun.lockb': '', 'go.mod': '', 'go.sum': '' }),
  );
  expect(managers.map(({ name }) => name)).toEqual(['bun', 'go']);
  for (const lock of managers.flatMap(({ locks }) => locks)) expect(allLockNames).toContain(lock);
});

test('a manager is known without a lock file', () => {
  expect(nodeManager(project({ 'package.json': '{}', 'deno.json': '{}' }))).toBe('deno');
  expect(nodeManager(project({ 'package.json': json({ packageManager: 7 }) }))).toBe('npm');
  expect(pythonManager(project({ 'pyproject.toml': '[tool.poetry]\n' }))).toBe('poetry');
  expect(pythonManager(project({ 'pyproject.toml': '[tool.uv.sources]\n' }))).toBe('uv');
  expect(pythonManager(project({ 'package.json': '{}' }))).toBeNull();
});

test.for([
  ['npm scripts', { 'package.json': scripts }, ['npm test', 'npm run lint', 'npm run typecheck']],
  [
    'pnpm scripts',
    { 'package.json': scripts, 'pnpm-lock.yaml': '' },
    ['pnpm test', 'pnpm run lint', 'pnpm run typecheck'],
  ],
  [
    'yarn scripts',
    { 'package.json': scripts, 'yarn.lock': '' },
    ['yarn test', 'yarn run lint', 'yarn run typecheck'],
  ],
  [
    'bun scripts',
    { 'package.json': scripts, 'bun.lock': '' },
    ['bun run test', 'bun run lint', 'bun run typecheck'],
  ],
  [
    'no tests by npm init',
    { 'package.json': json({ scripts: { test: 'echo "Error: no test specified"' } }) },
    [],
  ],
  ['an empty script', { 'package.json': json({ scripts: { test: ' ', lint: 3 } }) }, []],
  [
    'a script beside a test file',
    { 'package.json': scripts, 'test.js': '' },
    ['npm test', 'npm run lint', 'npm run typecheck'],
  ],
  ['test.js in the root', { 'package.json': '{}', 'test.js': '' }, ['node --test']],
  ['a folder of tests', { 'package.json': '{}', 'test/a/b.mjs': '' }, ['node --test']],
  ['ava', { 'package.json': json({ devDependencies: { ava: '6' } }), 'test.js': '' }, ['npx ava']],
  [
    'vitest with pnpm',
    { 'package.json': json({ dependencies: { vitest: '3' } }), 'pnpm-lock.yaml': '' },
    ['pnpm exec vitest run'],
  ],
  ['bun tests', { 'package.json': '{}', 'bun.lock': '', 'src/a.test.ts': '' }, ['bun test']],
  ['bun without tests', { 'package.json': '{}', 'bun.lock': '' }, []],
  [
    'deno tasks',
    { 'deno.jsonc': '// tasks\n{"tasks":{"test":"deno test -A","lint":"deno lint"}}' },
    ['deno task test', 'deno task lint'],
  ],
  ['deno tests', { 'deno.json': '{}', 'src/a_test.ts': '' }, ['deno test']],
  ['deno without tests', { 'deno.json': '{}', 'main.ts': '' }, []],
  [
    'packages of a pnpm monorepo',
    {
      'package.json': '{}',
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': '',
      'packages/a/package.json': scripts,
    },
    ['pnpm -r test'],
  ],
  [
    'packages of an npm monorepo',
    { 'package.json': json({ workspaces: ['packages/*'] }), 'packages/a/package.json': scripts },
    ['npm test --workspaces --if-present'],
  ],
  [
    'packages of a yarn monorepo',
    {
      'package.json': json({ workspaces: ['packages/*'] }),
      'yarn.lock': '',
      'packages/a/package.json': scripts,
    },
    [],
  ],
  [
    'packages without tests',
    { 'package.json': json({ workspaces: ['packages/*'] }), 'packages/a/package.json': '{}' },
    [],
  ],
  ['a manifest that is no JSON', { 'package.json': 'not json' }, []],
  ['a manifest that is a list', { 'package.json': '[]' }, []],
  ['tox', { 'tox.ini': '[tox]\n' }, ['tox']],
  ['tox in pyproject', { 'pyproject.toml': '[tool.tox]\n[tool.pytest.ini_options]\n' }, ['tox']],
  ['tox in setup.cfg', { 'setup.cfg': '[tox:tox]\n' }, ['tox']],
  ['tox.toml', { 'setup.py': '', 'tox.toml': '' }, ['tox']],
  ['nox', { 'noxfile.py': '' }, ['nox']],
  [
    'pytest and ruff with uv',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n', 'uv.lock': '' },
    ['uv run pytest', 'uv run ruff check'],
  ],
  ['pytest with poetry', { 'pyproject.toml': 'pytest = "^8"\n', 'poetry.lock': '' }, ['poetry run pytest']],
  ['pytest by its settings', { 'setup.py': '', 'pytest.ini': '' }, ['pytest']],
  ['pytest by conftest.py', { 'setup.py': '', 'conftest.py': '' }, ['pytest']],
  [
    'flake8, mypy and pyright',
    { 'setup.cfg': '[flake8]\n[mypy]\n', 'pyrightconfig.json': '' },
    ['flake8', 'mypy .', 'pyright'],
  ],
  [
    'linters by their own files',
    { 'setup.py': '', 'ruff.toml': '', 'mypy.ini': '' },
    ['ruff check', 'mypy .'],
  ],
  ['unittest in the root', { 'setup.py': '', 'test_a.py': '' }, ['python3 -m unittest']],
  [
    'unittest in a folder',
    { 'setup.py': '', 'tests/test_a.py': '' },
    ['python3 -m unittest discover -s tests'],
  ],
  [
    'unittest with uv',
    { 'pyproject.toml': '', 'uv.lock': '', 'test_a.py': '' },
    ['uv run python -m unittest'],
  ],
  ['Python without tests', { 'setup.py': '' }, []],
  ['cargo and go', { 'Cargo.toml': '', 'go.mod': '' }, ['cargo test', 'go test ./...']],
  [
    'make',
    { Makefile: 'test: all\n\trun\nlint:\n\trun\ntypes:\n\trun\n' },
    ['make test', 'make lint', 'make types'],
  ],
  ['make check', { GNUmakefile: 'check:\n\trun\n' }, ['make check']],
  ['a variable of make', { Makefile: 'test:=1\n' }, []],
  [
    'make behind npm',
    { 'package.json': json({ scripts: { test: 'x' } }), Makefile: 'test:\n\tnpm test\nlint:\n\trun\n' },
    ['npm test', 'make lint'],
  ],
  ['one command found twice', { 'pyproject.toml': '[tool.mypy]\n[mypy]\n' }, ['mypy .']],
] as const)('commands of the project are found: %s', ([, files, wanted]) => {
  expect(projectCommands(project(files)).map(({ command }) => command)).toEqual(wanted);
});

test.for([
  [
    [
      'README.md',
      'LICENSE',
      '.gitignore',
      'docs/',
      'docs/idea.md',
      'logo.png',
      'tutti.yaml',
      '.github/ci.yml',
    ],
    false,
  ],
  [[], false],
  [['README.md', 'main.py'], true],
  [['package.json'], true],
] as const)('a folder with %j has sources: %s', ([entries, wanted]) => {
  expect(hasSources(entries)).toBe(wanted);
});

test('what a file does not hold is empty', () => {
  const files = project({ 'package.json': '{"scripts": 3}' });
  expect(textIn(files, 'constructor')).toBe('');
  expect(objectMember(jsonIn(files, 'package.json'), 'scripts')).toEqual({});
  expect(objectMember(null, 'scripts')).toEqual({});
  expect(jsonIn(project({ 'deno.jsonc': '/* a\n b */\n{"a":1}' }), 'deno.jsonc')).toEqual({ a: 1 });
});
