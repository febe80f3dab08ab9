import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { fileGate } from './kinds/file.ts';
import { realPathBelow } from '../lib/path-below.ts';
import { readTextBelow } from './workspace-file.ts';

function hostile(root: string): string {
  const workspace = join(root, 'workspace');
  mkdirSync(join(workspace, 'folder'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(workspace, 'good.txt'), 'good');
  writeFileSync(join(workspace, 'bytes'), Buffer.from([0xff]));
  symlinkSync(join(root, 'secret.txt'), join(workspace, 'link-out'));
  symlinkSync(root, join(workspace, 'folder-out'));
  symlinkSync('good.txt', join(workspace, 'link-in'));
  symlinkSync('circle', join(workspace, 'circle'));
  execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: workspace });
  return workspace;
}

test.each([
  ['../secret.txt', 'leads outside'],
  ['/etc/passwd', 'leads outside'],
  ['a/../../secret.txt', 'leads outside'],
  ['link-out', 'leads outside'],
  ['folder-out/secret.txt', 'leads outside'],
  ['good\0.txt', 'leads outside'],
  ['circle', 'is a link that leads in a circle'],
  ['missing.txt', 'does not exist'],
  ['good.txt/below', 'does not exist'],
  ['folder', 'is a directory'],
  ['pipe', 'is not a file'],
  ['bytes', 'is not UTF-8 text'],
])('%j cannot be read: it %s', (path, why) => {
  using folder = tempFolder();
  expect(readTextBelow(hostile(folder.path), path, 100)).toEqual({
    ok: false,
    error: expect.stringContaining(why),
  });
});

test('what is really there can be read, through a link that stays inside too', () => {
  using folder = tempFolder();
  const workspace = hostile(folder.path);
  for (const path of ['good.txt', './folder/../good.txt', 'link-in']) {
    expect(readTextBelow(workspace, path, 100)).toEqual({ ok: true, value: 'good' });
  }
  expect(readTextBelow(workspace, 'good.txt', 3)).toMatchObject({ error: 'good.txt is larger than 3 bytes' });
});

test('no path, however it is written, leaves the workspace', () => {
  using folder = tempFolder();
  const workspace = hostile(folder.path);
  const part = fc.constantFrom(
    '..',
    '.',
    '',
    'folder',
    'folder-out',
    'workspace',
    'good.txt',
    'secret.txt',
    '~',
    '/',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      const real = realPathBelow(workspace, parts.join('/'));
      expect(real.ok ? `${real.value}/`.startsWith(`${workspace}/`) : real.error !== '').toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the file gate passes a file of the workspace and nothing else, with a sentence for each', () => {
  using folder = tempFolder();
  const workspace = hostile(folder.path);
  const gate = (path: string) => fileGate({ kind: 'file', path }, workspace);
  expect(gate('good.txt')).toEqual({
    gate: 'file',
    passed: true,
    finding: 'good.txt exists',
    evidence: { path: 'good.txt', bytes: 4 },
  });
  expect(gate('missing.txt')).toMatchObject({ passed: false, finding: 'missing.txt does not exist' });
  expect(gate('folder')).toMatchObject({ passed: false, finding: 'folder is not a file' });
  expect(gate('link-out')).toMatchObject({
    passed: false,
    finding: expect.stringContaining('leads outside'),
  });
});
