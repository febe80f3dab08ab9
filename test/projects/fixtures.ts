import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A repository shaped like a real one, and the facts that discovery must find in it. */
export interface Fixture {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** As agents are told. */
  readonly manager: string | null;
  readonly setup: string | null;
  readonly commands: readonly string[];
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

export const fixtures: readonly Fixture[] = [
  {
    name: 'npm with tests in the root',
    files: {
      'package.json': json({
        name: 'sum',
        version: '1.0.0',
        type: 'module',
        scripts: { start: 'node index.js' },
      }),
      'package-lock.json': json({
        name: 'sum',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: { '': { name: 'sum', version: '1.0.0' } },
      }),
      'index.js': 'export const sum = (a, b) => a + b;\n',
      'test.js': "import { existsSync } from 'node:fs';\nif (existsSync('red')) process.exit(1);\n",
    },
    manager: 'npm (package-lock.json)',
    setup: 'npm ci',
    commands: ['node --test'],
  },
  {
    name: 'pnpm monorepo',
    files: {
      'package.json': json({ name: 'mono', private: true, packageManager: 'pnpm@10.12.1' }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\n  packages/a: {}\n",
      'packages/a/package.json': json({
        name: 'a',
        version: '1.0.0',
        scripts: { test: 'test ! -f ../../red' },
      }),
      'packages/a/index.js': 'module.exports = 1;\n',
    },
    manager: 'pnpm (pnpm-lock.yaml)',
    setup: 'pnpm install --frozen-lockfile',
    commands: ['pnpm -r test'],
  },
  {
    name: 'bun',
    files: {
      'package.json': json({ name: 'b', scripts: { lint: 'test ! -f red' } }),
      'bun.lock':
        '{\n  "lockfileVersion": 1,\n  "workspaces": { "": { "name": "b" } },\n  "packages": {}\n}\n',
      'src/sum.ts': 'export const sum = (a: number, b: number) => a + b;\n',
      'src/sum.test.ts':
        "import { expect, test } from 'bun:test';\nimport { sum } from './sum';\ntest('sum', () => expect(sum(1, 2)).toBe(3));\n",
    },
    manager: 'bun (bun.lock)',
    setup: 'bun install --frozen-lockfile',
    commands: ['bun test', 'bun run lint'],
  },
  {
    name: 'deno',
    files: {
      'deno.json': json({ tasks: { start: 'deno run main.ts' } }),
      'deno.lock': json({ version: '5' }),
      'main.ts': 'export const sum = (a: number, b: number) => a + b;\n',
      'main_test.ts':
        "import { sum } from './main.ts';\nDeno.test('sum', () => { if (sum(1, 2) !== 3) throw new Error('wrong'); });\n",
    },
    manager: 'deno (deno.lock)',
    setup: 'deno install --frozen',
    commands: ['deno test'],
  },
  {
    name: 'uv',
    files: {
      'pyproject.toml':
        '[project]\nname = "u"\nversion = "1"\n\n[dependency-groups]\ndev = ["pytest"]\n\n[tool.ruff]\n',
      'uv.lock': 'version = 1\n',
      'src/u/__init__.py': '',
      'tests/test_u.py': 'def test_u():\n    assert True\n',
    },
    manager: 'uv (uv.lock)',
    setup: 'uv sync --frozen',
    commands: ['uv run pytest', 'uv run ruff check'],
  },
  {
    name: 'poetry',
    files: {
      'pyproject.toml':
        '[tool.poetry]\nname = "p"\n\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\n\n[tool.mypy]\n',
      'poetry.lock': '',
      'p/__init__.py': '',
      'tests/test_p.py': 'def test_p():\n    assert True\n',
    },
    manager: 'poetry (poetry.lock)',
    setup: 'poetry install --no-interaction',
    commands: ['poetry run pytest', 'poetry run mypy .'],
  },
  {
    name: 'tox',
    files: {
      'setup.cfg': '[metadata]\nname = t\n\n[flake8]\n',
      'tox.ini':
        '[tox]\nskipsdist = true\nenvlist = py3\n\n[testenv]\nskip_install = true\ncommands = python -c "import os, sys; sys.exit(os.path.exists(\'red\'))"\n',
      't.py': 'def t():\n    return 1\n',
    },
    manager: 'pip',
    setup: null,
    commands: ['tox', 'flake8'],
  },
  {
    name: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "c"\nversion = "0.1.0"\n',
      'Cargo.lock': 'version = 4\n',
      'src/lib.rs': 'pub fn sum(a: i32, b: i32) -> i32 { a + b }\n',
    },
    manager: 'cargo (Cargo.lock)',
    setup: 'cargo fetch --locked',
    commands: ['cargo test'],
  },
  {
    name: 'go',
    files: {
      'go.mod': 'module example.com/g\n\ngo 1.22\n',
      'go.sum': '',
      'g.go': 'package g\n',
      'g_test.go': 'package g\n',
    },
    manager: 'go (go.sum)',
    setup: 'go mod download',
    commands: ['go test ./...'],
  },
  {
    name: 'make',
    files: {
      Makefile: 'all:\n\ntest:\n\ttest ! -f red\n\nlint:\n\ttrue\n',
      'main.c': 'int main(void) { return 0; }\n',
    },
    manager: null,
    setup: null,
    commands: ['make test', 'make lint'],
  },
];

/** A red base is one with the file `red` in its root. */
export function writeFixture(folder: string, { files }: Fixture, base: 'green' | 'red'): void {
  const all = { ...files, ...(base === 'red' ? { red: 'the tests fail\n' } : {}) };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const tools = [
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'uv',
  'poetry',
  'tox',
  'flake8',
  'cargo',
  'go',
  'make',
  'node',
];

/** Programs of these names that write down how they were called; a test fails where the base is red. */
export function standIns(folder: string): { readonly bin: string; readonly ledger: string } {
  const [bin, ledger] = [join(folder, 'bin'), join(folder, 'calls')];
  mkdirSync(bin, { recursive: true });
  writeFileSync(ledger, '');
  for (const tool of tools) {
    const isSetup = '"ci"|"install"*|"sync"*|"fetch"*|"mod download"';
    // Agents of the test are node too: only a bare `node --test` is the project's.
    const pass =
      tool === 'node' ? `case "$*" in --test) ;; *) exec '${process.execPath}' "$@" ;; esac\n` : '';
    const script = `#!/bin/sh\n${pass}echo "${tool} $*" | sed 's/ $//' >> ${ledger}\ncase "$*" in ${isSetup}) exit 0 ;; esac\nif [ -f red ]; then echo "1 test failed"; exit 1; fi\n`;
    writeFileSync(join(bin, tool), script, { mode: 0o755 });
  }
  return { bin, ledger };
}
