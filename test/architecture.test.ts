import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import config from '../.dependency-cruiser.mjs';
import { layers } from '../layers.mjs';
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

test('the tree obeys layers.mjs, and was really read', async () => {
  const { modules, summary } = await check(repository('.'));
  expect(summary.violations).toEqual([]);
  // With TypeScript 7 alone the cruiser reads nothing and is green: hence the comparison with the disk, and a floor.
  const onDisk = globSync('src/**/*.ts', { cwd: repository('.') });
  expect(onDisk.length).toBeGreaterThanOrEqual(150);
  expect(modules.map(({ source }) => source)).toEqual(expect.arrayContaining(onDisk));
  // A file that nothing imports escapes the rules, so its folder is checked here.
  expect(onDisk.filter((path) => !((path.split('/')[1] ?? '') in layers))).toEqual([]);
});

test('a command that only reads loads no code that finds out how a CLI signs in', async () => {
  const { modules } = await check(repository('.'));
  const loaded = new Set(['src/cli/commands/status.ts']);
  for (const path of loaded) {
    const dependencies = modules.find(({ source }) => source === path)?.dependencies ?? [];
    for (const { resolved, dynamic, dependencyTypes } of dependencies) {
      if (!dynamic && !dependencyTypes.includes('type-only')) loaded.add(resolved);
    }
  }
  // Control: the registry is among what was found, and the code in question exists.
  expect(loaded).toContain('src/drivers/registry.ts');
  const signIns = modules.map(({ source }) => source).filter((path) => path.endsWith('/find-sign-in.ts'));
  expect(signIns.length).toBeGreaterThan(3);
  expect(signIns.filter((path) => loaded.has(path))).toEqual([]);
});

const world: Readonly<Record<string, string>> = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
  'package.json': '{ "type": "module" }',
  'src/app/a.ts': 'export const a = 1;\nexport type A = number;\n',
  'src/model/m.ts': 'export const m = 1;\n',
  'src/store/s.ts': 'export const s = 1;\n',
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
