import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { withLock } from './file-lock.ts';
import { currentProcess } from './process/identity.ts';

/** What happens to the files while somebody waits for the lock; the wait itself takes no time. */
let whileWaiting: () => void = () => {};
vi.mock(import('./pause.ts'), () => ({ pauseThread: () => whileWaiting() }));

/** Answers of `isAlive` before the true ones. */
const claimed = vi.hoisted((): boolean[] => []);
vi.mock(import('./process/identity.ts'), async (original) => {
  const identity = await original();
  return { ...identity, isAlive: (process) => claimed.shift() ?? identity.isAlive(process) };
});

const living = JSON.stringify(currentProcess());
const dead = JSON.stringify({ ...currentProcess(), startTime: '1' });
const longAgo = new Date(0);

class LockFolder implements Disposable {
  readonly #folder = tempFolder();
  readonly path = join(this.#folder.path, 'lock');

  constructor() {
    whileWaiting = () => {};
  }

  hold(content: string, writtenAt = new Date()): void {
    writeFileSync(this.path, content);
    utimesSync(this.path, writtenAt, writtenAt);
  }

  files(): readonly string[] {
    return readdirSync(this.#folder.path);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

test('one that is free is taken, and given back also after an error', () => {
  using lock = new LockFolder();
  expect(withLock(lock.path, () => existsSync(lock.path))).toBe(true);
  expect(() =>
    withLock(lock.path, () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(lock.files()).toEqual([]);
});

test.for([
  ['of a process that died', dead, new Date()],
  ['of nobody, and old', 'null', longAgo],
  ['of half an identity, and old', '{"pid":1}', longAgo],
  ['that is no JSON, and old', 'half a wo', longAgo],
] as const)('one %s is taken away', ([_name, content, writtenAt]) => {
  using lock = new LockFolder();
  lock.hold(content, writtenAt);
  expect(withLock(lock.path, () => 'done')).toBe('done');
  expect(lock.files()).toEqual([]);
});

test.for([
  ['of a living process', living],
  ['of nobody, and new', 'null'],
  ['that is no JSON, and new', 'half a wo'],
] as const)('one %s is waited for, and named when patience ends', ([_name, content]) => {
  using lock = new LockFolder();
  lock.hold(content);
  const act = vi.fn<() => void>();
  expect(() => withLock(lock.path, act)).toThrow(`${lock.path} is held by another process`);
  expect(act).not.toHaveBeenCalled();
  expect(lock.files()).toEqual(['lock']);
});

test('one that is given back while somebody waits is taken', () => {
  using lock = new LockFolder();
  lock.hold(living);
  whileWaiting = () => rmSync(lock.path);
  expect(withLock(lock.path, () => 'done')).toBe('done');
});

test('one that changed hands as it was taken away goes back', () => {
  using lock = new LockFolder();
  lock.hold(living);
  claimed.push(false);
  expect(() => withLock(lock.path, () => 'done')).toThrow('is held by another process');
  expect(lock.files()).toEqual(['lock']);
});

test('one that cannot be moved away is waited for', () => {
  using lock = new LockFolder();
  lock.hold(dead);
  mkdirSync(join(`${lock.path}.${process.pid}.old`, 'full'), { recursive: true });
  whileWaiting = () => rmSync(lock.path, { force: true });
  expect(withLock(lock.path, () => 'done')).toBe('done');
});

test('an error of the file system is no reason to wait', () => {
  using lock = new LockFolder();
  lock.hold(living);
  whileWaiting = () => rmSync(`${lock.path}.${process.pid}`);
  expect(() => withLock(lock.path, () => 'done')).toThrow('ENOENT');
});
