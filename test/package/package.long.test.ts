import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programSources, sharedFiles } from '../../src/lib/package-files.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { bundledFiles, bundledPackages, missingFiles, sourcesWithOwnUrl } from './bundled.ts';
import { type Installed, installNode, installPacked, tutti, tuttiWith, weigh } from './installed.ts';

const execute = promisify(execFile);
const mostPackages = 1;
const mostBytes = 4_000_000;

let installed: Installed;

beforeAll(async () => {
  installed = await installPacked();
}, 120_000);

afterAll(() => {
  installed[Symbol.dispose]();
});

test('a production install is one package of at most 4 MB', () => {
  const { packages, bytes } = weigh(installed.folder);
  process.stdout.write(
    `package: ${packages.length} packages, ${(bytes / 1e6).toFixed(2)} MB of ${mostBytes / 1e6} MB installed\n`,
  );
  expect(packages).toContain('node_modules/tutti');
  expect(packages.length).toBeLessThanOrEqual(mostPackages);
  expect(bytes).toBeLessThanOrEqual(mostBytes);
});

test('the weighing can fail: every package and every byte counts', () => {
  using folder = tempFolder();
  const modules = join(folder.path, 'node_modules');
  mkdirSync(join(modules, 'deep', 'deeper'), { recursive: true });
  const packages = Object.fromEntries(
    Array.from({ length: mostPackages + 1 }, (_, n) => [`node_modules/p${n}`, {}]),
  );
  const lock = JSON.stringify({ packages });
  writeFileSync(join(modules, '.package-lock.json'), lock);
  writeFileSync(join(modules, 'deep', 'deeper', 'large'), Buffer.alloc(mostBytes));
  const weight = weigh(folder.path);
  expect(weight.packages.length).toBeGreaterThan(mostPackages);
  expect(weight.bytes).toBe(mostBytes + lock.length);
});

test('the tarball holds the program, its schemas and its documents, and neither sources nor tests', () => {
  const { packed } = installed;
  const strange = packed.filter(
    (path) =>
      !/^(bin|dist|schemas)\/|^docs\/[\w-]+\.md$/.test(path) &&
      !/^(package\.json|README\.md|LICENSE)$/.test(path),
  );
  expect(strange).toEqual([]);
  // Maps hold the sources once more, and the program is its sources without their types.
  expect(packed.filter((path) => /\.test\.|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([]);
  // Declarations describe the public API; the command line has none.
  expect(packed).toContain('dist/types/app/index.d.ts');
  expect(packed.filter((path) => /^dist\/types\/cli\/|^dist\/(?!types\/).*\.d\.ts$/.test(path))).toEqual([]);
  for (const name of ['cassette', 'flow', 'result', 'tutti']) {
    expect(packed).toContain(`schemas/${name}.schema.json`);
  }
});

test('the published program composes no other store, and reads no variable of the tests', () => {
  const root = join(installed.folder, 'node_modules', 'tutti');
  const entry = readFileSync(join(root, 'bin', 'tutti.js'), 'utf8');
  expect(entry).toContain('cli.main(args);');
  for (const { path, text } of [{ path: 'bin/tutti.js', text: entry }, ...bundledFiles(join(root, 'dist'))])
    expect(text.includes('TUTTI_TEST_'), path).toBe(false);
});

test('the package ships the licence of every package that is bundled in it', () => {
  const dist = join(installed.folder, 'node_modules', 'tutti', 'dist');
  const notices = readFileSync(join(dist, 'NOTICES.txt'), 'utf8');
  for (const name of bundledPackages(dist))
    expect(notices).toMatch(new RegExp(`^${name} \\d.*\\(.+\\)$`, 'm'));
  expect(bundledPackages(dist)).toContain('zod');
});

test('every program and file that Tutti finds by its path is in the installed package', () => {
  const root = join(installed.folder, 'node_modules', 'tutti');
  const modules = bundledFiles(join(root, 'dist')).filter(({ text }) =>
    text.includes('src/lib/package-files.ts\n'),
  );
  expect(modules.length).toBeGreaterThan(0);
  expect(modules.flatMap(({ path }) => missingFiles(pathToFileURL(path).href))).toEqual([]);
  // The first is the text of a program that the example writes.
  const known = ['app/example/library.ts', 'lib/package-files.ts'];
  expect(sourcesWithOwnUrl(repository('src')).toSorted()).toEqual(known);
});

test('a program that was not built, a module in the wrong folder and a stray relative path are noticed', () => {
  using folder = tempFolder();
  const module = join(folder.path, 'dist', 'chunks', 'a.js');
  for (const path of ['dist/chunks', 'dist/programs', 'bin', 'docs']) {
    mkdirSync(join(folder.path, path), { recursive: true });
  }
  for (const path of ['package.json', 'bin/tutti.js']) writeFileSync(join(folder.path, path), '');
  const [first = '', ...rest] = Object.keys(programSources);
  for (const name of rest) writeFileSync(join(folder.path, 'dist', 'programs', `${name}.js`), '');
  expect(missingFiles(pathToFileURL(module).href)).toEqual([join(folder.path, `dist/programs/${first}.js`)]);
  const misplaced = missingFiles(pathToFileURL(join(folder.path, 'dist', 'a.js')).href);
  expect(misplaced.length).toBe(Object.keys({ ...programSources, ...sharedFiles }).length);
  writeFileSync(join(folder.path, 'stray.ts'), "start(new URL('./relay.js', import.meta.url));\n");
  expect(sourcesWithOwnUrl(folder.path)).toEqual(['stray.ts']);
});

test('the installed program prints its documents', async () => {
  const printed = await tutti(installed.folder, 'help', 'planning');
  expect(printed).toMatch(/^Planning\n\n/);
  expect(await tutti(installed.folder, 'help', 'topics')).toContain('durability');
});

test('the installed program tells its version', async () => {
  const { version } = JSON.parse(readFileSync(repository('package.json'), 'utf8')) as { version: string };
  expect(await tutti(installed.folder, '--version')).toBe(`${version}\n`);
});

test('the installed program runs a flow, an agent by the replay driver included', {
  timeout: 300_000,
}, async () => {
  const flow = `
name: tiny
steps:
  - {id: first, command: [sh, -c, echo first > first.txt]}
  - {id: second, needs: [first], agent: coder, prompt: Write the second file.}
`;
  const cassette = `
turns:
  - match: {step: second}
    files: {second.txt: second}
    result: {status: success, summary: written}
`;
  const config = 'driver: replay\ndrivers: {replay: {type: replay, cassette: turns.yaml}}\n';
  const files = { 'flow.yaml': flow, 'turns.yaml': cassette, 'tutti.yaml': config };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(installed.folder, name), content);
  const lines = (
    await tutti(installed.folder, 'run', 'flow.yaml', '--trust', '--run-id', 'tiny', '--json')
  ).trim();
  const status = JSON.parse(lines.split('\n').at(-1) ?? '') as { outcome: string };
  expect(status.outcome).toBe('SUCCESS');
  expect(readFileSync(join(installed.folder, 'second.txt'), 'utf8')).toBe('second');
});

test('a stack trace of the installed program names the function and its file', async () => {
  const script = join(installed.folder, 'break.mjs');
  // No project is opened by nothing: the function fails in its first line.
  writeFileSync(script, "import { openTutti } from 'tutti';\nopenTutti();\n");
  const { stderr } = await execute(process.execPath, [script]).then(
    () => ({ stderr: 'it did not break' }),
    (error: { readonly stderr: string }) => error,
  );
  expect(stderr).toMatch(
    /^TypeError: .*\n\s+at openForCaller \(file:.*\/node_modules\/tutti\/dist\/.*\.js:\d+:\d+\)$/m,
  );
});

test('it keeps to its word about Node: the oldest one it names runs the demo, with nothing on stderr', {
  timeout: 300_000,
}, async () => {
  const { engines } = JSON.parse(readFileSync(repository('package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const oldest = `${engines.node.replace('>=', '')}.0`;
  using other = await installNode(oldest);
  const { stdout, stderr } = await tuttiWith(other.node, installed.folder, 'demo', '--keep', 'kept');
  expect(stdout).toMatch(/Tests of the library that was written: [1-9]\d* passed, 0 failed/);
  expect(stderr).toBe('');
});
