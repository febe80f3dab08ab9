import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { errorCode } from './error-code.ts';
import { readText } from './read-text.ts';

const options = { maxBytes: 10, links: 'follow' } as const;

test('a text is read as it is, also one of exactly the size that is allowed', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a');
  for (const text of ['', '\uFEFFgrün', '0123456789']) {
    writeFileSync(path, text);
    expect(readText(path, options)).toEqual({ ok: true, value: text });
  }
});

test('what cannot be read is the end of a sentence', () => {
  using folder = tempFolder();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at('large'), '0123456789x');
  writeFileSync(at('binary'), Buffer.from([0xff, 0xfe]));
  mkdirSync(at('folder'));
  symlinkSync('round', at('round'));
  const why = (path: string) => {
    const read = readText(path, options);
    return read.ok ? 'read' : `${read.error.why}: ${read.error.message}`;
  };
  expect(why(at('large'))).toBe('unusable: is larger than 10 bytes');
  expect(why(at('binary'))).toBe('unusable: is not UTF-8 text');
  expect(why(at('folder'))).toBe('unusable: is a directory');
  expect(why('/dev/zero')).toBe('unusable: is not a file');
  expect(why(at('none'))).toBe('absent: does not exist');
  expect(why(at('large/below'))).toBe('absent: does not exist');
  expect(why(at('round'))).toBe('unusable: is a symbolic link that leads nowhere');
  expect(why(at('x'.repeat(300)))).toBe('unusable: cannot be read (ENAMETOOLONG)');
  expect(why('a\0b')).toBe('unusable: has a name that no file can have');
});

test('a link is followed only where a person may link what they like', () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'secret'), 'x');
  symlinkSync('secret', join(folder.path, 'link'));
  const read = (links: 'follow' | 'refuse') => readText(join(folder.path, 'link'), { ...options, links });
  expect(read('follow')).toEqual({ ok: true, value: 'x' });
  expect(read('refuse')).toEqual({ ok: false, error: { why: 'unusable', message: 'is a symbolic link' } });
});

test('an error without a name of the system is told in its own words', () => {
  expect(errorCode(Object.assign(new Error('x'), { code: 'EIO' }))).toBe('EIO');
  expect(errorCode(new Error('x'))).toBe('Error: x');
  expect(errorCode('x')).toBe('x');
});

test.skipIf(!existsSync('/proc/self/mem'))('trouble of the machine is not taken for a bad file', () => {
  expect(() => readText('/proc/self/mem', { maxBytes: 10, links: 'refuse' })).toThrow('/proc/self/mem');
});

test('a file outside the folders that are given is not read, whatever its path says', () => {
  using folder = tempFolder();
  const inside = join(realpathSync(folder.path), 'inside');
  mkdirSync(inside);
  for (const path of ['inside/own', 'other']) writeFileSync(join(folder.path, path), 'text');
  symlinkSync('../other', join(inside, 'link'));
  const read = (name: string) => readText(join(inside, name), { ...options, within: [inside] });
  expect(read('own')).toEqual({ ok: true, value: 'text' });
  for (const name of ['link', '../other']) {
    expect(read(name)).toEqual({
      ok: false,
      error: { why: 'unusable', message: "is none of this session's files" },
    });
  }
});
