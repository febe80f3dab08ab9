import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isMachineTrouble, MachineTrouble, orTrouble, tellsMachineTrouble } from './machine-trouble.ts';

test('it names the path, once', () => {
  expect(new MachineTrouble('/a/b', 'ENOSPC: no space left on device, write').message).toBe(
    'cannot use /a/b: ENOSPC: no space left on device, write',
  );
  const told = `EMFILE: too many open files, open '/a/b/c'`;
  expect(new MachineTrouble('/a/b', told).message).toBe(told);
});

test('an error of the machine gets the path it lacks, another stays what it is', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(orTrouble(full, '/a')).toEqual(new MachineTrouble('/a', full.message));
  const told = new MachineTrouble('/b', 'full');
  expect(orTrouble(told, '/a')).toBe(told);
  expect(orTrouble('ENOSPC', '/a')).toEqual(new MachineTrouble('/a', 'ENOSPC'));
  const other = new Error('other');
  expect(orTrouble(other, '/a')).toBe(other);
});

test('a missing file is a fact about the file, a disk that cannot be read is not', () => {
  const errorOf = (path: string): unknown => {
    try {
      return readFileSync(path);
    } catch (error) {
      return error;
    }
  };
  expect(isMachineTrouble(errorOf('/nowhere'))).toBe(false);
  expect(isMachineTrouble(Object.assign(new Error('no'), { code: 'EIO' }))).toBe(true);
  expect(isMachineTrouble(new MachineTrouble('/a', 'full'))).toBe(true);
  expect(isMachineTrouble(new Error('ENOSPC'))).toBe(false);
});

test.for([
  ['Error: spawn /bin/sh EAGAIN', true],
  ['Error: spawn EMFILE', true],
  [`Error: EMFILE: too many open files, open '/a'`, true],
  ['Error: spawn /bin/sh E2BIG', false],
  [`Error: EACCES: permission denied, open '/EIO'`, false],
] as const)('%s', ([sentence, trouble]) => {
  expect(tellsMachineTrouble(sentence)).toBe(trouble);
});
