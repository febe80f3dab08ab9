import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ProjectFiles } from './project-files.ts';
import { proposeUnlocked, unlockedSettings } from './unlocked-setup.ts';

function project(files: Readonly<Record<string, string>>): ProjectFiles {
  return { entries: Object.keys(files).toSorted(), texts: files };
}

const json = (value: object): string => JSON.stringify(value);
const depends = json({ dependencies: { 'is-odd': 'file:../odd' } });
const venv = 'python3 -m venv .venv';
const pyproject = (text: string): Readonly<Record<string, string>> => ({ 'pyproject.toml': text });

test.for([
  ['npm', { 'package.json': depends }, ['npm install']],
  [
    'pnpm by its declaration',
    { 'package.json': json({ packageManager: 'pnpm@9.1.0', devDependencies: { a: '1' } }) },
    ['pnpm install'],
  ],
  ['a lock file', { 'package.json': depends, 'package-lock.json': '' }, null],
  ['no dependencies', { 'package.json': json({ scripts: { test: 'x' } }) }, null],
  ['requirements.txt', { 'requirements.txt': 'flask' }, [venv, '.venv/bin/pip install -r requirements.txt']],
  [
    'requirements for developers, with a linter',
    { 'requirements.txt': 'flask', 'requirements-dev.txt': 'pytest', '.flake8': '' },
    [venv, '.venv/bin/pip install -r requirements.txt -r requirements-dev.txt pytest flake8'],
  ],
  [
    'requirements of tests that need no tool',
    { 'requirements.txt': 'flask', 'test_a.py': '' },
    [venv, '.venv/bin/pip install -r requirements.txt'],
  ],
  ['setup.py without dependencies', { 'setup.py': 'setup(name="a")' }, null],
  ['setup.py', { 'setup.py': 'setup(install_requires=["a"])' }, [venv, '.venv/bin/pip install -e .']],
  [
    'setup.cfg',
    { 'setup.cfg': '[options]\ninstall_requires =\n  flask\n' },
    [venv, '.venv/bin/pip install -e .'],
  ],
  ['setup.cfg without dependencies', { 'setup.cfg': '[options]\ninstall_requires =\nname = a\n' }, null],
  [
    'pyproject.toml, on one line',
    pyproject('[project]\nname = "a"\ndependencies = ["flask>=3"]\n'),
    [venv, '.venv/bin/pip install -e .'],
  ],
  [
    'pyproject.toml, on several lines',
    pyproject('[project]\r\ndependencies = [\r\n  # the web\r\n  "flask[async]>=3",\r\n]\r\n'),
    [venv, '.venv/bin/pip install -e .'],
  ],
  [
    'optional dependencies',
    pyproject(
      '[project]\nname = "a"\n[project.optional-dependencies] # extras\ntest = ["pytest"]\ndocs = ["x"]\n',
    ),
    [venv, '.venv/bin/pip install -e .[test] pytest'],
  ],
  [
    'optional dependencies inside the table',
    pyproject('[project]\noptional-dependencies = { docs = ["x"] }\n'),
    [venv, '.venv/bin/pip install -e .'],
  ],
  ['pyproject.toml without dependencies', pyproject('[project]\ndependencies = [\n  # none\n]\n'), null],
  [
    'dependencies of another tool',
    pyproject('[project]\nname = "a"\n[tool.hatch.envs.default]\ndependencies = ["x"]\n'),
    null,
  ],
  ['uv', pyproject('[project]\ndependencies = ["flask"]\n[tool.uv]\n'), ['uv sync']],
  ['uv for developers', pyproject('[tool.uv]\ndev-dependencies = ["ruff"]\n'), ['uv sync']],
  ['uv without dependencies', pyproject('[project]\ndependencies = []\n[tool.uv]\n'), null],
  ['poetry', pyproject('[tool.poetry.dependencies]\npython = "^3"\nflask = "3"\n'), ['poetry install']],
  ['a group of poetry', pyproject('[tool.poetry.group.dev.dependencies]\nx = "3"\n'), ['poetry install']],
  ['poetry with Python alone', pyproject('[tool.poetry.dependencies]\npython = "^3"\n'), null],
  ['poetry without dependencies', pyproject('[tool.poetry]\nname = "a"\n'), null],
  ['pdm', pyproject('[tool.pdm]\n[dependency-groups]\ntest = ["pytest"]\n'), ['pdm install']],
  ['sources of uv alone', pyproject('[tool.uv]\nindex = [{ url = "x" }]\n'), null],
  ['cargo', { 'Cargo.toml': '' }, null],
  ['go', { 'go.mod': '' }, null],
  ['deno', { 'deno.json': '{}' }, null],
  ['nothing', {}, null],
] as const)('dependencies that no lock file names are proposed for %s', ([, files, wanted]) => {
  expect(proposeUnlocked(project(files))?.map((argv) => argv.join(' ')) ?? null).toEqual(wanted);
});

test("the settings run the setup, and the project's own commands in its environment", () => {
  const setup = [
    ['python3', '-m', 'venv', '.venv'],
    ['.venv/bin/pip', 'install', '-e', '.[dev]'],
  ];
  const commands = ['python3 -m unittest discover -s tests', 'pytest', 'ruff check', 'tox', 'npm test'];
  const settings = unlockedSettings(setup, commands);
  expect(settings).toMatchObject({ environment: '.venv', changesCommands: true });
  expect(parse(settings.yaml)).toEqual({
    workspace: {
      setup,
      test_commands: [
        '.venv/bin/python -m unittest discover -s tests',
        '.venv/bin/pytest',
        '.venv/bin/ruff check',
        'tox',
        'npm test',
      ],
    },
  });
});

test('commands that need no environment stay as they are', () => {
  expect(unlockedSettings([['npm', 'install']], ['npm test'])).toEqual({
    yaml: 'workspace: { setup: [[npm, install]] }',
    environment: null,
    changesCommands: false,
  });
  expect(unlockedSettings([['uv', 'sync']], ['pytest']).changesCommands).toBe(false);
  expect(unlockedSettings([['python3', '-m', 'venv', '.venv']], ['tox']).changesCommands).toBe(false);
});
