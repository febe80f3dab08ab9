import { expect, test } from 'vitest';
import { sessionOf } from '../../test/watch/session.ts';
import { keyOf } from './key.ts';
import { requestKey } from './request-key.ts';
import { noSessionLogs } from './session-logs.ts';
import type { SessionSpec } from './turn.ts';

test('where no session is at work, none asks, waits or does anything', async () => {
  const session = sessionOf('s-1');
  expect(await noSessionLogs.pendingRequests(session.id, {} as SessionSpec)).toBeNull();
  expect(noSessionLogs.lastWait(session)).toBeNull();
  expect((await noSessionLogs.doings([]))(session.id)).toBe('');
});

test('a request of a session has a key below its step that names the session', () => {
  const key = keyOf('build', { after: 'x' });
  expect(requestKey({ id: 's-1', key }, 2)).toBe('build/permission-2@s-1');
});
