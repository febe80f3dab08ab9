import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionDoings } from '../../src/app/sessions/session-doing.ts';
import { SessionProject } from './project.ts';

test('a running session is told by its agent and its last action, read from the end of its log', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait go');
  const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
  const doings = new SessionDoings(tutti);
  expect(doings.describe(id)).toBe('worker');
  appendFileSync(log, `${'x'.repeat(100_000)}\nreading the parser\n`);
  expect(doings.describe(id)).toBe('worker · reading the parser');
  // Nothing was added, so nothing is read again; an empty line tells nothing.
  expect(doings.describe(id)).toBe('worker · reading the parser');
  appendFileSync(log, '\u001B[2Jfixing it\n\n');
  expect(doings.describe(id)).toBe('worker · fixing it');
  expect(doings.describe('20200101-000000-nobody')).toBe('');
});
