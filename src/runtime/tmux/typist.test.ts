import { expect, test } from 'vitest';
import { ok, type Result } from '../../lib/result.ts';
import type { HookEvent } from '../../model/hook.ts';
import { typedDigest } from '../../model/typed-text.ts';
import { Typist } from './typist.ts';

const times = { readyMs: 50, submittedMs: 50, settleMs: 1 };
const taken = (text: string): HookEvent => ({ event: 'submitted', prompt: typedDigest(text) });

/** A terminal of which the test decides what the interface says after the paste and after Enter. */
function typing(says: { readonly paste?: readonly HookEvent[]; readonly enter?: readonly HookEvent[] }) {
  const keys: string[] = [];
  const press = (key: string, events: readonly HookEvent[] = []): Promise<Result<null, string>> => {
    keys.push(key);
    for (const event of events) typist.heard(event);
    return Promise.resolve(ok(null));
  };
  const tmux = {
    paste: (_: string, text: string) => press(text, says.paste),
    sendEnter: () => press('Enter', says.enter),
  };
  const typist = new Typist(tmux, 'pane', times);
  typist.heard({ event: 'ready' });
  return { typist, keys };
}

test('what was taken is delivered, also when something else was taken before it', async () => {
  const { typist, keys } = typing({ enter: [taken('a notification'), taken('do it')] });
  expect(await typist.type('do it')).toEqual({ delivered: true });
  expect(keys).toEqual(['do it', 'Enter']);
  expect(typist.phase).toEqual({ at: 'working' });
});

test('a question that comes between the paste and Enter is not answered by it', async () => {
  const { typist, keys } = typing({ paste: [{ event: 'waiting', why: 'permission to use Bash' }] });
  expect(await typist.type('do it')).toEqual({
    delivered: false,
    reason:
      'it was pasted, and Enter was not pressed: a dialog is open in its terminal (permission to use Bash)',
  });
  expect(keys).toEqual(['do it']);
});

test.each<[string, readonly HookEvent[], string]>([
  ['nothing', [], 'does not say that it took it'],
  ['another text', [taken('do that')], 'took another text'],
])('%s that was taken is no delivery, and Enter is not pressed again', async (_, enter, reason) => {
  const { typist, keys } = typing({ enter });
  expect(await typist.type('do it')).toMatchObject({
    delivered: false,
    reason: expect.stringContaining(reason),
  });
  expect(keys).toEqual(['do it', 'Enter']);
});

test('what was submitted before is not taken for what is typed now', async () => {
  const { typist } = typing({ paste: [taken('do it'), { event: 'turn-done', message: '' }] });
  expect(await typist.type('do it')).toMatchObject({ delivered: false });
});

test('one that never says that it is ready is told from one that is, and one that ended from both', async () => {
  const { typist } = typing({});
  expect(await typist.ready()).toBe(true);
  typist.heard({ event: 'working', tool: 'Read' });
  expect(await typist.type('x')).toEqual({ delivered: false, reason: 'it is working' });
  const resting = typist.rest();
  typist.heard({ event: 'turn-done', message: 'done' });
  expect(await resting).toBe(true);
  typist.heard({ event: 'working', tool: '' });
  const never = typist.rest();
  typist.close();
  expect(await never).toBe(false);
  expect(await typist.type('x')).toEqual({ delivered: false, reason: 'the session has ended' });
  const shy = new Typist(
    { paste: () => Promise.resolve(ok(null)), sendEnter: () => Promise.resolve(ok(null)) },
    'p',
    times,
  );
  shy.heard({ event: 'blocked', tool: 'x', reason: '', id: '' });
  expect(await shy.ready()).toBe(false);
});

test('a tmux that fails is told in its words, and nothing follows', async () => {
  const failing = { ok: false, error: 'tmux paste-buffer failed: no buffer' } as const;
  const enters: string[] = [];
  const sendEnter = (): Promise<Result<null, string>> => {
    enters.push('Enter');
    return Promise.resolve(failing);
  };
  const first = new Typist({ paste: () => Promise.resolve(failing), sendEnter }, 'p', times);
  first.heard({ event: 'ready' });
  expect(await first.type('x')).toEqual({ delivered: false, reason: failing.error });
  expect(enters).toEqual([]);
  const second = new Typist({ paste: () => Promise.resolve(ok(null)), sendEnter }, 'p', times);
  second.heard({ event: 'ready' });
  expect(await second.type('x')).toMatchObject({ reason: expect.stringContaining('Enter was not pressed') });
});
