import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { type Installed, installNode, installPacked, tutti, tuttiWith, weigh } from './installed.ts';

const mostPackages = 10;
const mostBytes = 11_000_000;

let installed: Installed;

beforeAll(async () => {
  installed = await installPacked();
}, 120_000);

afterAll(() => {
  installed[Symbol.dispose]();
});

test('a production install is at most 10 packages and 11 MB', () => {
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
  const packages = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`node_modules/p${n}`, {}]));
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
  for (const name of ['cassette', 'flow', 'result', 'tutti']) {
    expect(packed).toContain(`schemas/${name}.schema.json`);
  }
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
  const lines = (await tutti(installed.folder, 'run', 'flow.yaml', '--run-id', 'tiny', '--json')).trim();
  const status = JSON.parse(lines.split('\n').at(-1) ?? '') as { outcome: string };
  expect(status.outcome).toBe('SUCCESS');
  expect(readFileSync(join(installed.folder, 'second.txt'), 'utf8')).toBe('second');
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
