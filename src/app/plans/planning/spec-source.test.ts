import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/rig/temp-folder.ts';
import { pathsOf } from '../../project.ts';
import { type SpecOrder, takeSpec } from './spec-source.ts';

function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function take(
  folder: string,
  order: Partial<SpecOrder>,
  plans: readonly string[] = [],
): ReturnType<typeof takeSpec> {
  return takeSpec(
    { paths: pathsOf(folder), env: {} },
    { command: 'plan', spec: { from: 'stored' }, plan: null, folder, ...order },
    plans,
  );
}

const file = (path: string) => ({ spec: { from: 'file', path } }) as const;

test('a specification is taken word for word, and names its plan', () => {
  using folder = tempFolder();
  const text = '# Shop  \r\n\tsell\n';
  write(folder.path, { 'docs/Web Shop.md': text, 'spec.md': text, '.tutti/plans/old/inputs/spec.md': text });
  expect(take(folder.path, file('docs/Web Shop.md'))).toEqual({
    ok: true,
    value: { plan: 'web-shop', text },
  });
  expect(take(folder.path, { ...file('spec.md'), plan: 'mine' })).toEqual({
    ok: true,
    value: { plan: 'mine', text },
  });
  expect(take(folder.path, { spec: { from: 'text', text } })).toEqual({
    ok: true,
    value: { plan: 'shop', text },
  });
  expect(take(folder.path, file('.tutti/plans/old/inputs/spec.md'))).toMatchObject({
    value: { plan: 'old' },
  });
});

test.for([
  ['nothing.md', /nothing\.md does not exist/],
  ['empty.md', /is empty/],
  ['folder', /is a directory/],
  ['binary.md', /is not UTF-8 text/],
  ['nul.md', /contains NUL/],
  ['huge.md', /is larger than/],
] as const)('%s is refused', ([path, why]) => {
  using folder = tempFolder();
  write(folder.path, {
    'empty.md': ' \n',
    'folder/x': '',
    'binary.md': Uint8Array.from([0xff, 0xfe, 0x80]),
    'nul.md': 'a\0b',
    ...(path === 'huge.md' ? { 'huge.md': Buffer.alloc(17 * 1024 * 1024, 'x') } : {}),
  });
  const taken = take(folder.path, file(path));
  expect(taken.ok ? '' : taken.error.message).toMatch(why);
});

test('hints repeat the command that was typed', () => {
  using folder = tempFolder();
  write(folder.path, { 'empty.md': '' });
  const hint = (order: Partial<SpecOrder>) => {
    const taken = take(folder.path, order);
    return taken.ok ? '' : taken.error.hint;
  };
  expect(hint({ ...file('no.md'), command: 'build' })).toBe('check the path: tutti build FILE');
  expect(hint({ ...file('no.md'), command: 'plan' })).toBe('check the path: tutti plan FILE');
  expect(hint({ ...file('empty.md'), command: 'build' })).toContain('tutti build FILE');
  expect(hint({ command: 'build' })).toContain('tutti build FILE');
  write(folder.path, { 'docs/shop-spec.md': 'x' });
  expect(hint({ command: 'build' })).toBe('tutti build docs/shop-spec.md');
});

test('a name that is none is refused with one that is', () => {
  using folder = tempFolder();
  const taken = take(folder.path, { plan: '../x' });
  expect(taken.ok ? '' : taken.error.hint).toBe('choose another, for example: --plan x');
});

test('without a specification the only plan is meant; else what was found is listed with its command', () => {
  using folder = tempFolder();
  expect(take(folder.path, {}, ['only'])).toEqual({ ok: true, value: { plan: 'only', text: null } });
  write(folder.path, {
    '.tutti/plans/one/inputs/spec.md': 'x',
    '.tutti/plans/two/inputs/spec.md': 'x',
    'docs/shop-spec.md': 'x',
    'requirements.txt': 'flask',
    'my requirements.md': 'x',
    'node_modules/y/spec.md': 'x',
    'README.md': 'x',
  });
  const taken = take(folder.path, {}, ['one', 'two']);
  expect(taken.ok ? null : taken.error).toEqual({
    outcome: 'USAGE',
    message: 'no specification was given',
    hint: 'tutti plan --plan one',
    detail: [
      'Found here:',
      '  tutti plan --plan one',
      '  tutti plan --plan two',
      '  tutti plan docs/shop-spec.md',
      "  tutti plan 'my requirements.md'",
    ].join('\n'),
  });
});

test('a plan that is not there is said, with how to begin', () => {
  using folder = tempFolder();
  const taken = take(folder.path, { plan: 'shop' });
  expect(taken.ok ? '' : taken.error).toMatchObject({
    message: "there is no plan 'shop', and no specification was given",
    hint: 'write down what to build, then: tutti plan FILE (or - for standard input)',
  });
});
