import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './rig/repository.ts';
import { tempFolder } from './rig/temp-folder.ts';

interface Typo {
  readonly of: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

const landing = 'workflows/plan/landing.ts';
const host = 'app/plans/operations';

const typos: readonly Typo[] = [
  { of: 'an operation in a workflow', file: landing, right: `'task-land',`, wrong: `'task-lnad',` },
  { of: 'an argument in a workflow', file: landing, right: ' sealed,\n', wrong: ' seald: sealed,\n' },
  { of: 'a result in a workflow', file: landing, right: 'seal.paths', wrong: 'seal.pahts' },
  {
    of: 'an operation in the host',
    file: `${host}/executing-operations.ts`,
    right: `'task-land':`,
    wrong: `'task-lnad':`,
  },
  {
    of: 'an argument in the host',
    file: `${host}/task-land.ts`,
    right: ' sealed, timeoutMs',
    wrong: ' seald, timeoutMs',
  },
  {
    of: 'a result in the host',
    file: `${host}/task-seal.ts`,
    right: 'paths: changed',
    wrong: 'pahts: changed',
  },
  {
    of: 'a member that a command prints with --json',
    file: 'cli/commands/log-tokens.ts',
    right: 'cost_usd: cost',
    wrong: 'cost_uds: cost',
  },
  {
    of: 'a value that a command prints with --json',
    file: 'cli/commands/task/widen.ts',
    right: `status: 'running'`,
    wrong: `status: 'runing'`,
  },
  {
    of: 'a member of a published output that app builds',
    file: 'app/plans/agent-led/plan-status-json.ts',
    right: 'plan_dir:',
    wrong: 'plan_dri:',
  },
];

/** Copies of files of `src` that import their neighbours from `src`, each in a tree of its own. */
class Copies {
  readonly #root: string;
  readonly #trees: string[] = [];

  constructor(root: string) {
    this.#root = root;
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  }

  add(tree: string, file: string, text: string): void {
    const path = join(this.#root, tree, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.#trees.push(tree);
  }

  /** `<tree>/<file>:<line>` of every error. */
  errors(): readonly string[] {
    const options = {
      rootDirs: [repository('src'), ...this.#trees],
      typeRoots: [repository('node_modules/@types')],
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
    };
    const config = { extends: repository('tsconfig.json'), compilerOptions: options, include: this.#trees };
    writeFileSync(join(this.#root, 'tsconfig.json'), JSON.stringify(config));
    const { status, stdout } = spawnSync(repository('node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], {
      cwd: this.#root,
      encoding: 'utf8',
    });
    const found = [...stdout.matchAll(/^(?<file>\S.*?)\((?<line>\d+),\d+\): error/gm)];
    // Something else than types went wrong.
    if ((status === 0) !== (found.length === 0)) throw new Error(stdout);
    return found.map(({ groups }) => `${groups?.['file'] ?? ''}:${groups?.['line'] ?? ''}`);
  }
}

test('a typo in an operation, its arguments or result, or in what --json prints does not compile', {
  timeout: 300_000,
}, () => {
  using folder = tempFolder();
  const copies = new Copies(folder.path);
  const planted = typos.map(({ of, file, right, wrong }, index) => {
    const text = readFileSync(repository(`src/${file}`), 'utf8');
    const parts = text.split(right);
    expect(parts, `${of}: ${right} stands once in ${file}`).toHaveLength(2);
    copies.add('control', file, text);
    copies.add(`typo-${index + 1}`, file, parts.join(wrong));
    return `typo-${index + 1}/${file}:${(parts[0] ?? '').split('\n').length}`;
  });
  const errors = copies.errors();
  // A typo may break later lines too, but only of its own copy.
  expect(errors).toEqual(expect.arrayContaining(planted));
  expect(new Set(errors.map((place) => place.split('/')[0]))).toEqual(
    new Set(planted.map((place) => place.split('/')[0])),
  );
});
