import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import config from '../.dependency-cruiser.mjs';
import { folders, layers, storeOpeners } from '../layers.mjs';
import { repository } from './rig/repository.ts';
import { tempFolder } from './rig/temp-folder.ts';

async function check(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['src'], {
    ...config.options,
    ruleSet: { forbidden: config.forbidden ?? [] },
    validate: true,
    baseDir,
  });
  if (typeof output === 'string') throw new TypeError('expected a result, got text');
  return output;
}

const ownTree = check(repository('.'));

test('the tree obeys layers.mjs, and was really read', async () => {
  const { modules, summary } = await ownTree;
  expect(summary.violations).toEqual([]);
  // With TypeScript 7 alone the cruiser reads nothing and is green: hence the comparison with the disk, and a floor.
  const onDisk = globSync('src/**/*.ts', { cwd: repository('.') });
  expect(onDisk.length).toBeGreaterThanOrEqual(150);
  expect(modules.map(({ source }) => source)).toEqual(expect.arrayContaining(onDisk));
  // A file that nothing imports escapes the rules, so its folder is checked here.
  expect(onDisk.filter((path) => !((path.split('/')[1] ?? '') in layers))).toEqual([]);
});

test('wherever a layer has several folders, layers.mjs puts them in order', () => {
  const parents = new Map<string, Set<string>>();
  for (const path of globSync('src/*/**/*.ts', { cwd: repository('.') })) {
    const parts = path.split('/').slice(1, -1);
    for (let depth = 1; depth < parts.length; depth += 1) {
      const parent = parts.slice(0, depth).join('/');
      parents.set(parent, (parents.get(parent) ?? new Set()).add(parts[depth] ?? ''));
    }
  }
  const unordered = [...parents].filter(([parent, names]) => names.size > 1 && !(parent in folders));
  // Families do not know each other at all, by a rule of their own.
  expect(unordered.map(([parent]) => parent)).toEqual(['workflows']);
});

/** What is loaded before a command begins, with what its own file imports. */
function loadedBy(modules: ICruiseResult['modules'], command: string): ReadonlySet<string> {
  const byPath = new Map(modules.map((module) => [module.source, module]));
  expect([...byPath.keys()]).toContain(command);
  const loaded = new Set(['src/cli/main.ts', command]);
  for (const path of loaded) {
    for (const { resolved, dynamic, dependencyTypes } of byPath.get(path)?.dependencies ?? []) {
      if (!dynamic && !dependencyTypes.includes('type-only')) loaded.add(resolved);
    }
  }
  return loaded;
}

/** Dear to load, and of no use to a command that looks at a project in which no session is at work. */
const dear = [
  /^src\/(drivers|workflows|kernel|gates|escalation)\//,
  // What is left decides what of a repository counts, for every command, or reads what a sandboxed session made.
  /^src\/workspace\/(?!(trust-root|trust-surfaces|tracked|pins|guard-record)\.ts$)/,
  /(^|\/)node_modules\/(yaml|zod)\//,
];

function dearAmong(loaded: ReadonlySet<string>): readonly string[] {
  return [...loaded].filter((path) => dear.some((form) => form.test(path)));
}

const readingCommands = [
  'check-halt',
  'costs',
  'events',
  'halt-status',
  'inbox',
  'plan/list',
  'plan/status',
  'report',
  'runs',
  'session/list',
  'status',
  'task/list',
  'task/ready',
  'task/show',
];

test.for(readingCommands)('%s loads no driver, workflow, workspace, YAML parser or schema', async (name) => {
  const { modules } = await ownTree;
  expect(dearAmong(loadedBy(modules, `src/cli/commands/${name}.ts`))).toEqual([]);
});

test('a command that runs agents does load them, so the search above finds what is there', async () => {
  const { modules } = await ownTree;
  const found = dearAmong(loadedBy(modules, 'src/cli/commands/session/create.ts'));
  for (const form of dear) expect(found.some((path) => form.test(path))).toBe(true);
  expect(found).toContain('src/drivers/registry.ts');
});

test('the check catches a reading command that loads a driver by way of another file', async () => {
  using folder = tempFolder();
  write(folder.path, {
    ...world,
    'src/cli/main.ts': 'export const main = 1;\n',
    'src/cli/commands/status.ts': `import { a } from '../../app/b.ts';\nexport const s = a;\n`,
    'src/app/b.ts': `import { d } from '../drivers/d.ts';\nexport const a = d;\n`,
    'src/drivers/d.ts': 'export const d = 1;\n',
  });
  const { modules } = await check(folder.path);
  expect(dearAmong(loadedBy(modules, 'src/cli/commands/status.ts'))).toEqual(['src/drivers/d.ts']);
});

const world: Readonly<Record<string, string>> = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
  'package.json': '{ "type": "module" }',
  'src/app/a.ts': 'export const a = 1;\nexport type A = number;\n',
  'src/model/m.ts': 'export const m = 1;\n',
  'src/store/s.ts': 'export const s = 1;\n',
  'src/app/runs/r.ts': 'export const r = 1;\n',
  'src/app/unlisted/u.ts': 'export const u = 1;\n',
  'src/app/plans/operations/h.ts': 'export const h = 1;\n',
  'src/cli/commands/c.ts': 'export const c = 1;\n',
  'src/stray.ts': 'export const x = 1;\n',
  'src/workflows/crew/x.ts': 'export const x = 1;\n',
};

const violations: readonly (readonly [what: string, path: string, text: string, rule: string])[] = [
  [
    'an upward import',
    'src/lib/bad.ts',
    `import { a } from '../app/a.ts';\nexport const b = a;\n`,
    'lib-may-import-nothing',
  ],
  [
    'a type-only upward import',
    'src/lib/bad.ts',
    `import type { A } from '../app/a.ts';\nexport type B = A;\n`,
    'lib-may-import-nothing',
  ],
  [
    'a neighbour',
    'src/drivers/bad.ts',
    `import { s } from '../store/s.ts';\nexport const b = s;\n`,
    'drivers-may-import-lib-model',
  ],
  [
    'a power outside its home',
    'src/app/bad.ts',
    `import { spawn } from 'node:child_process';\nexport const s = spawn;\n`,
    'holds-child_process',
  ],
  [
    'a file of app that imports the store instead of its ports',
    'src/app/runs/bad.ts',
    `import type { s } from '../../store/s.ts';\nexport type B = typeof s;\n`,
    'app-takes-the-store-by-its-ports',
  ],
  [
    'a database outside the store',
    'src/app/bad.ts',
    `import { DatabaseSync } from 'node:sqlite';\nexport const s = DatabaseSync;\n`,
    'holds-sqlite',
  ],
  [
    'a clock in a pure layer',
    'src/model/bad.ts',
    `import { hrtime } from 'node:process';\nexport const now = hrtime;\n`,
    'pure-layers-hold-no-power',
  ],
  [
    'a file in workflow code',
    'src/workflows/plan/bad.ts',
    `import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n`,
    'pure-layers-hold-no-power',
  ],
  [
    'a sibling family',
    'src/workflows/plan/bad.ts',
    `import { x } from '../crew/x.ts';\nexport const y = x;\n`,
    'families-do-not-know-each-other',
  ],
  [
    'a folder of app that imports one above it',
    'src/app/sessions/bad.ts',
    `import { r } from '../runs/r.ts';\nexport const b = r;\n`,
    'app-sessions-is-below',
  ],
  [
    'a folder of plans that imports one above it',
    'src/app/plans/agent-led/bad.ts',
    `import type { h } from '../operations/h.ts';\nexport type B = typeof h;\n`,
    'app-plans-agent-led-is-below',
  ],
  [
    'a folder of cli that imports one above it',
    'src/cli/render/bad.ts',
    `import { c } from '../commands/c.ts';\nexport const b = c;\n`,
    'cli-render-is-below',
  ],
  [
    'a folder of app that is not listed',
    'src/app/bad.ts',
    `import { u } from './unlisted/u.ts';\nexport const b = u;\n`,
    'every-folder-of-app-is-listed',
  ],
  [
    'a file with no layer',
    'src/app/bad.ts',
    `import { x } from '../stray.ts';\nexport const y = x;\n`,
    'every-file-has-a-layer',
  ],
  [
    'an import that leads nowhere',
    'src/app/bad.ts',
    `import { x } from './gone.ts';\nexport const y = x;\n`,
    'no-unresolvable',
  ],
];

test.for(violations)('the check catches %s', async ([, path, text, rule]) => {
  using folder = tempFolder();
  write(folder.path, { ...world, [path]: text });
  const { summary } = await check(folder.path);
  expect(summary.violations.map((violation) => violation.rule.name).join()).toContain(rule);
});

test('only the files that layers.mjs lists open the store, and each of them does', async () => {
  using folder = tempFolder();
  const opener = (path: string): string => (path.endsWith('/') ? `src/${path}opens.ts` : `src/${path}`);
  const toStore = (path: string): string => '../'.repeat(path.split('/').length - 2);
  const tree = storeOpeners
    .map(opener)
    .map((path) => [path, `import { s } from '${toStore(path)}store/s.ts';\nexport const b = s;\n`] as const);
  write(folder.path, { ...world, ...Object.fromEntries(tree) });
  const rule = 'app-takes-the-store-by-its-ports';
  const { summary } = await check(folder.path);
  expect(summary.violations.filter((violation) => violation.rule.name === rule)).toEqual([]);
  const { modules } = await ownTree;
  const opening = modules.filter(({ dependencies }) =>
    dependencies.some(({ resolved }) => resolved.startsWith('src/store/')),
  );
  const unused = storeOpeners.filter(
    (path) => !opening.some(({ source }) => source.startsWith(`src/${path}`)),
  );
  expect(unused).toEqual([]);
});

test('the check catches a cycle', async () => {
  using folder = tempFolder();
  write(folder.path, {
    ...world,
    'src/app/b.ts': `import { c } from './c.ts';\nexport const b = () => c;\n`,
    'src/app/c.ts': `import { b } from './b.ts';\nexport const c = () => b;\n`,
  });
  const { summary } = await check(folder.path);
  expect(summary.violations.map((violation) => violation.rule.name)).toContain('no-circular');
});

test('workflow code has no clock, no timers, no randomness, no network, no environment', () => {
  using folder = tempFolder();
  const powers = [
    'Date.now()',
    'setTimeout(() => 0, 1)',
    'Math.random()',
    "fetch('x')",
    'process.pid',
    'crypto.randomUUID()',
  ];
  const lines = powers.map((power, index) => `export const v${index} = () => ${power};`);
  write(folder.path, {
    'src/workflows/flow/bad.ts': `${lines.join('\n')}\n`,
    // Control: the same code is allowed where it belongs.
    'src/runtime/good.ts': `${lines.slice(0, 3).join('\n')}\n`,
  });
  // Beside the planted code, because the places that a rule is for are relative to its file.
  const rules = readFileSync(repository('.oxlintrc.json'), 'utf8').replace(
    '"typeAware": true',
    '"typeAware": false',
  );
  write(folder.path, { '.oxlintrc.json': rules });
  const program = repository('node_modules/.bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [program, '--format', 'json'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const restricted = diagnostics.filter(({ code }) => code.includes('no-restricted'));
  expect(restricted.filter(({ filename }) => filename.endsWith('bad.ts')).length).toBe(powers.length);
  expect(restricted.filter(({ filename }) => filename.endsWith('good.ts'))).toEqual([]);
});

function write(folder: string, tree: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
