import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { Inlet } from './inlet.ts';
import { postMessage } from './spool.ts';

const ignore = (): void => undefined;

test('the prompt comes first, then what was said, then the end', async () => {
  using folder = tempFolder();
  const prompt = join(folder.path, 'prompt');
  writeFileSync(prompt, 'first\n');
  const input = new PassThrough();
  using inlet = new Inlet(folder.path, input, ignore);
  // Posted before the prompt was even opened: it still comes after it.
  const early = postMessage(folder.path, { kind: 'send', text: 'second' });
  inlet.open(prompt);
  expect(await early).toEqual({ delivered: true });
  expect(await postMessage(folder.path, { kind: 'close' })).toEqual({ delivered: true });
  expect(await postMessage(folder.path, { kind: 'send', text: 'third' })).toMatchObject({ delivered: false });
  expect(await text(input)).toBe('first\nsecond\n');
});

test('cancel overtakes a message that is not read', async () => {
  using folder = tempFolder();
  const stuck = new Writable({ write: ignore });
  const reasons: string[] = [];
  {
    using inlet = new Inlet(folder.path, stuck, (reason) => reasons.push(reason));
    inlet.open(null);
    const unread = postMessage(folder.path, { kind: 'send', text: 'x' }, 300);
    expect(await postMessage(folder.path, { kind: 'cancel', reason: 'enough' })).toEqual({ delivered: true });
    expect(reasons).toEqual(['enough']);
    expect(await unread).toEqual({ delivered: false, reason: 'it was taken, but not read in time' });
  }
});

test('an agent that stopped reading, and a prompt that cannot be read, are told to the sender', async () => {
  using folder = tempFolder();
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  using inlet = new Inlet(folder.path, broken, ignore);
  inlet.open(null);
  expect(await postMessage(folder.path, { kind: 'send', text: 'x' })).toEqual({
    delivered: false,
    reason: 'EPIPE',
  });

  using other = tempFolder();
  const input = new PassThrough();
  using unread = new Inlet(other.path, input, ignore);
  unread.open('/no/such/prompt');
  expect(await postMessage(other.path, { kind: 'send', text: 'x' })).toMatchObject({
    delivered: false,
    reason: expect.stringContaining('ENOENT') as string,
  });
  expect(await text(input)).toBe('');
});

test('what waits when the session ends is refused', async () => {
  using folder = tempFolder();
  const inlet = new Inlet(folder.path, new PassThrough(), ignore);
  const waiting = postMessage(folder.path, { kind: 'close' });
  inlet[Symbol.dispose]();
  expect(await waiting).toEqual({ delivered: false, reason: 'the session has ended' });
});

test('a folder full of rubbish is refused piece by piece', async () => {
  using folder = tempFolder();
  using inlet = new Inlet(folder.path, new PassThrough(), ignore);
  for (const [index, rubbish] of ['{torn', '[]', '{"kind":"send"}', '{"kind":"cancel"}'].entries()) {
    writeFileSync(join(folder.path, 'spool', `00${index}.json`), rubbish);
  }
  const good = postMessage(folder.path, { kind: 'close' });
  inlet.open(null);
  expect(await good).toEqual({ delivered: true });
});
