import { expect, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations.ts';

const endReplaced = migrations.findIndex((text) => text.includes('rtrim'));

test('a part that an earlier release left open for ever has ended after the upgrade, and no other has', () => {
  using db = new DatabaseSync(':memory:');
  for (const text of migrations.slice(0, endReplaced)) db.exec(text);
  const entries = [
    ['one', 'physical/check@1a', 'task', 'open'],
    ['one', 'physical/ask@1a', 'ask', 'open'],
    ['one', 'definition@1a', 'session', 'launched'],
    ['one', 'physical/check@2b', 'task', 'done'],
    ['one', 'physical/ask@2b', 'ask', 'open'],
    ['one', 'definition@2b', 'session', 'open'],
    ['one', 'with@sign/check@1a', 'task', 'open'],
    ['one', 'with@another/check@1a', 'task', 'done'],
    ['two', 'definition@3c', 'session', 'open'],
  ] as const;
  const insert = db.prepare(
    `insert into entries(run, key, kind, attempt, state, change, priority, opened_at, ordinal) values(?, ?, ?, 1, ?, 0, 0, 7, ?)`,
  );
  for (const [index, entry] of entries.entries()) insert.run(...entry, index + 1);
  db.exec(migrations[endReplaced] ?? '');
  const states = db.prepare('select key, state from entries where state <> ?').all('done');
  expect(states.map((row) => `${String(row['key'])} ${String(row['state'])}`).toSorted()).toEqual([
    'definition@1a launched',
    'definition@2b open',
    'definition@3c open',
    'physical/ask@1a open',
    'physical/ask@2b open',
    'physical/check@1a dropped',
    'with@sign/check@1a open',
  ]);
  expect(db.prepare(`select ended_at, outcome from entries where state = 'dropped'`).get()).toEqual({
    ended_at: 7,
    outcome: 'INTERRUPTED',
  });
});
