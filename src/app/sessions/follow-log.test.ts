import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../../test/rig/attempt-rig.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { OpenLog } from '../host/open-log.ts';
import { LineCutter, type LogLine } from '../host/line-cutter.ts';
import { followLog, once, type Reader } from './follow-log.ts';

const willing: Reader = { isLeft: () => false, ready: async () => undefined };

/** A log that is followed while the test changes it; `heard` says what a reader was told so far. */
class Followed implements AsyncDisposable {
  readonly heard: string[] = [];
  readonly offsets: number[] = [];
  looks = 0;
  readonly #over = { over: false, left: false };
  readonly #done: Promise<void>;

  constructor(path: () => string | null) {
    const listener = {
      line: ({ text, offset }: LogLine) => {
        this.heard.push(text);
        this.offsets.push(offset);
      },
      anew: () => {
        this.heard.push('<anew>');
      },
      caughtUp: () => {
        this.looks += 1;
      },
    };
    this.#done = followLog(path, listener, {
      ...willing,
      isOver: () => this.#over.over,
      isLeft: () => this.#over.left,
    });
  }

  /** Until whatever was done before this call has been looked at: the look under way may have begun before it. */
  async looked(): Promise<void> {
    const from = this.looks;
    await until('two more looks', () => this.looks >= from + 2);
  }

  async end(): Promise<readonly string[]> {
    this.#over.over = true;
    await this.#done;
    return this.heard;
  }

  async leave(): Promise<readonly string[]> {
    this.#over.left = true;
    await this.#done;
    return this.heard;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
  }
}

test('what is appended is told once, and a torn line when it is whole', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  writeFileSync(log, 'one\ntw');
  await using followed = new Followed(() => log);
  await followed.looked();
  expect(followed.heard).toEqual(['one']);
  appendFileSync(log, 'o\nthree');
  await followed.looked();
  expect(followed.heard).toEqual(['one', 'two']);
  expect(await followed.end()).toEqual(['one', 'two', 'three']);
  expect(followed.offsets).toEqual([0, 4, 8]);
});

test.each([
  [true, 0],
  [false, 1],
])('a wait for more that is idle (%s) keeps the process alive with %i timers', async (isIdle, timers) => {
  using folder = tempFolder();
  const waiting = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = waiting();
  let looks = 0;
  const waited = Promise.withResolvers<number>();
  const listener = {
    line: () => undefined,
    anew: () => undefined,
    caughtUp: () => {
      looks += 1;
      if (looks > 1) return;
      // After this look it waits.
      setImmediate(() => {
        waited.resolve(waiting() - before);
      });
    },
  };
  const left = { now: false };
  const following = followLog(() => join(folder.path, 'log'), listener, {
    ...willing,
    isOver: () => false,
    isLeft: () => left.now,
    isIdle,
  });
  expect(await waited.promise).toBe(timers);
  left.now = true;
  await following;
});

test('a character that is torn between two writes is one character', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  const bytes = Buffer.from('Grüße 世界\n');
  writeFileSync(log, '');
  await using followed = new Followed(() => log);
  for (const byte of [bytes.subarray(0, 3), bytes.subarray(3, 10), bytes.subarray(10)]) {
    appendFileSync(log, byte);
    await followed.looked();
  }
  expect(await followed.end()).toEqual(['Grüße 世界']);
});

test('a log that is not there yet is awaited', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'later', 'output.log');
  await using followed = new Followed(() => log);
  await followed.looked();
  mkdirSync(join(folder.path, 'later'));
  writeFileSync(log, 'first\n');
  await followed.looked();
  expect(await followed.end()).toEqual(['first']);
});

test('what was written just before the end is told', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  writeFileSync(log, 'one\n');
  const heard: string[] = [];
  await followLog(
    () => log,
    { line: ({ text }) => void heard.push(text), anew: () => undefined, caughtUp: () => undefined },
    {
      ...willing,
      // The last words come while it is asked whether there will be any.
      isOver: () => {
        appendFileSync(log, 'last words');
        return true;
      },
    },
  );
  expect(heard).toEqual(['one', 'last words']);
});

test('a log that was cut is read anew, and nothing of the first is told again', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  writeFileSync(log, 'first\nsecond\nto');
  await using followed = new Followed(() => log);
  await followed.looked();
  truncateSync(log);
  appendFileSync(log, 'new\n');
  await followed.looked();
  expect(await followed.end()).toEqual(['first', 'second', 'to', '<anew>', 'new']);
});

test('a log in whose place another is put is read to its end, and then the other', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  writeFileSync(log, 'first\n');
  await using followed = new Followed(() => log);
  await followed.looked();
  appendFileSync(log, 'last of the first\n');
  writeFileSync(`${log}.new`, 'other\n');
  renameSync(`${log}.new`, log);
  await followed.looked();
  expect(await followed.end()).toEqual(['first', 'last of the first', '<anew>', 'other']);
});

test.each(['moved', 'copied'] as const)(
  'a log that is %s to the archive is read on where it was',
  async (how) => {
    using folder = tempFolder();
    const [log, archived] = [join(folder.path, 'output.log'), join(folder.path, 'archived.log')];
    let path = log;
    writeFileSync(log, 'first\n');
    await using followed = new Followed(() => path);
    await followed.looked();
    appendFileSync(log, 'second\n');
    if (how === 'moved') renameSync(log, archived);
    else {
      copyFileSync(log, archived);
      rmSync(log);
    }
    await followed.looked();
    path = archived;
    appendFileSync(archived, 'third\n');
    await followed.looked();
    expect(await followed.end()).toEqual(['first', 'second', 'third']);
  },
);

test('a link and a folder in place of a log have no lines', async () => {
  using folder = tempFolder();
  const secret = join(folder.path, 'secret');
  const log = join(folder.path, 'output.log');
  writeFileSync(secret, 'secret\n');
  symlinkSync(secret, log);
  await using followed = new Followed(() => log);
  await followed.looked();
  rmSync(log);
  mkdirSync(log);
  await followed.looked();
  expect(await followed.end()).toEqual([]);
});

test('whoever leaves is told nothing more', async () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  writeFileSync(log, 'one\ntorn');
  await using followed = new Followed(() => log);
  await followed.looked();
  expect(await followed.leave()).toEqual(['one']);
});

test('control: a reader that starts from the top at each look tells everything twice', () => {
  using folder = tempFolder();
  const log = join(folder.path, 'output.log');
  writeFileSync(log, 'one\n');
  const read = (): number => {
    using open = new OpenLog(() => log);
    return [...open.news()].length;
  };
  expect(read() + read()).toBe(2);
  using open = new OpenLog(() => log);
  expect([[...open.news()].length, [...open.news()].length]).toEqual([1, 0]);
});

test('lines are the same however the bytes are cut into pieces, and so are the places where they begin', () => {
  const bytes = Buffer.from('one\n\nzwölf 世界\r\n\u{1F680}\nlast');
  const whole = cut(bytes, bytes.length);
  expect(whole.map(({ text }) => text)).toEqual(['one', '', 'zwölf 世界\r', '\u{1F680}', 'last']);
  for (const { text, offset } of whole) {
    expect(bytes.subarray(offset, offset + Buffer.byteLength(text)).toString()).toBe(text);
  }
  for (let size = 1; size < bytes.length; size += 1) expect(cut(bytes, size)).toEqual(whole);
});

function cut(bytes: Buffer, size: number): readonly LogLine[] {
  const cutter = new LineCutter();
  const lines: LogLine[] = [];
  for (let at = 0; at < bytes.length; at += size)
    lines.push(...cutter.push(bytes.subarray(at, at + size), at));
  return [...lines, ...cutter.rest()];
}

test('of a line without an end only the beginning is kept', async () => {
  const cutter = new LineCutter();
  const flood = Buffer.alloc(64 * 1024, 'x');
  for (let n = 0; n < 100; n += 1) expect([...cutter.push(flood, n * flood.length)]).toEqual([]);
  const [line, next] = [...cutter.push(Buffer.from('\nnext\n'), 100 * flood.length)];
  expect(line?.text).toHaveLength(4 * 1024 * 1024);
  expect(next).toEqual({ text: 'next', offset: 100 * flood.length + 1 });
});

test('one look at a log that is not there tells nothing', async () => {
  const heard: string[] = [];
  const listener = {
    line: () => void heard.push('line'),
    anew: () => undefined,
    caughtUp: () => heard.push('up'),
  };
  await followLog(() => null, listener, once(willing));
  expect(heard).toEqual(['up']);
});
