import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AuditLog } from '../../src/app/sessions/audit-log.ts';
import { identify } from '../../src/lib/process/identity.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import type { WriterTask } from './victim.ts';

const weekMs = 7 * 86_400_000;
/** A Wednesday. */
const start = Date.parse('2025-11-05T12:00:00Z');

function rig(folder: string, clock = new VirtualClock(start)) {
  const logs = join(folder, 'logs');
  const store = new SqliteStore({
    path: join(folder, 'tutti.db'),
    clock,
    maxSessions: 1,
    isAlive: () => true,
  });
  const queries = new SqliteQueries(store.db);
  return {
    store,
    clock,
    queries,
    logs,
    audit: new AuditLog({ store, queries, logs, lock: join(folder, 'audit-lock') }),
    tell: (message: string, session: string | null = null) =>
      store.note(null, { type: 'session.warned', session, about: 'stall', message }),
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
    },
  };
}

function lines(logs: string, name = 'orchestrator.log'): readonly string[] {
  return readFileSync(join(logs, name), 'utf8').trimEnd().split('\n');
}

function allLines(logs: string): readonly string[] {
  return readdirSync(logs).flatMap((name) => lines(logs, name));
}

test('what is told about sessions is in the log once, however often it is asked for', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, queries } = world;
  await tell('one');
  await Promise.all([audit.write(), audit.write()]);
  await tell('two');
  expect(await queries.audit.isBehind()).toBe(true);
  await audit.write();
  await audit.write();
  expect(await queries.audit.isBehind()).toBe(false);
  expect(lines(logs)).toEqual([
    '[2025-11-05T12:00:00Z] [WARN] Sessions: one',
    '[2025-11-05T12:00:00Z] [WARN] Sessions: two',
  ]);
});

test('a hostile reason is one line of the log', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, store, logs } = world;
  const reason = 'slow\n[2025-11-05T12:00:00Z] [INFO] Session x archived\r\u001B[2Jgone';
  await store.note(null, { type: 'session.killed', session: 's', reason, by: 'user:a\nb' });
  await audit.write();
  expect(lines(logs)).toEqual([
    '[2025-11-05T12:00:00Z] [WARN] Session s killed by user:a b: slow [2025-11-05T12:00:00Z] [INFO] Session x archivedgone',
  ]);
});

test('six weeks: the log of this week and of the four before it are there', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, clock } = world;
  for (let week = 45; week <= 50; week += 1) {
    await tell(`in week ${week}`);
    await audit.write();
    clock.jump(weekMs);
  }
  expect(readdirSync(logs).toSorted()).toEqual([
    'orchestrator.log',
    'orchestrator.log.2025-W46',
    'orchestrator.log.2025-W47',
    'orchestrator.log.2025-W48',
    'orchestrator.log.2025-W49',
  ]);
  for (const week of [46, 47, 48, 49]) {
    expect(lines(logs, `orchestrator.log.2025-W${week}`)).toEqual([
      expect.stringContaining(`in week ${week}`),
    ]);
  }
  expect(lines(logs)).toEqual([expect.stringContaining('in week 50')]);
});

test('weeks that nobody wrote in go by at once, and only logs of its own are removed', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, clock } = world;
  for (let week = 0; week < 7; week += 1) {
    await tell(`week ${week}`);
    clock.jump(weekMs);
    if (week === 0) {
      await audit.write();
      for (const name of ['orchestrator.log.old', 'orchestrator.log.2020-W01.gz', 'other.log'])
        writeFileSync(join(logs, name), 'x\n');
    }
  }
  await audit.write();
  expect(readdirSync(logs).filter((name) => /W\d\d$/.test(name))).toHaveLength(4);
  expect(readdirSync(logs)).toEqual(
    expect.arrayContaining(['orchestrator.log.old', 'orchestrator.log.2020-W01.gz', 'other.log']),
  );
});

test('a clock that goes back overwrites no log', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, clock } = world;
  const say = async (message: string, jump: number) => {
    await tell(message);
    await audit.write();
    clock.jump(jump);
  };
  await say('a', weekMs);
  await say('b', -weekMs);
  await say('late', 0);
  expect(lines(logs)).toHaveLength(2);
  // As after a rebuild with another clock: the log begins in a week that has its file already.
  writeFileSync(
    join(logs, 'orchestrator.log'),
    readFileSync(join(logs, 'orchestrator.log'), 'utf8').split('\n').toReversed().join('\n').trimStart(),
  );
  clock.jump(2 * weekMs);
  await say('c', 0);
  expect(allLines(logs).map((line) => line.split(': ')[1])).toEqual(
    expect.arrayContaining(['a', 'b', 'late', 'c']),
  );
});

test('a log that is a link is not written through, and nobody fails for it', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, queries } = world;
  await tell('first');
  await audit.write();
  const secret = join(folder.path, 'secret');
  writeFileSync(secret, 'mine\n');
  rmSync(join(logs, 'orchestrator.log'));
  symlinkSync(secret, join(logs, 'orchestrator.log'));
  await tell('second');
  await audit.write();
  expect(readFileSync(secret, 'utf8')).toBe('mine\n');
  expect([...(await queries.audit.events({ since: 0, session: null, types: null }, 0, 1000))]).toHaveLength(
    2,
  );
});

test('who dies between taking and writing takes lines of the log along; a rebuild brings them back', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, store, clock } = world;
  await tell('one');
  await audit.write();
  clock.jump(weekMs);
  await tell('lost');
  await store.takeAudit(1000);
  await tell('three');
  await audit.write();
  expect(allLines(logs).map((line) => line.split(': ')[1])).toEqual(['three', 'one']);
  await audit.rebuild();
  expect(lines(logs, 'orchestrator.log.2025-W45')).toEqual([expect.stringContaining('one')]);
  expect(lines(logs).map((line) => line.split(': ')[1])).toEqual(['lost', 'three']);
  await audit.write();
  expect(allLines(logs)).toHaveLength(3);
});

test('a rebuild leaves a log that holds more than the events still tell', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, store, clock } = world;
  await tell('one');
  await tell('two');
  await audit.write();
  clock.jump(1000);
  await tell('three');
  expect(await store.pruneEvents(clock.wall())).toBe(2);
  await audit.rebuild();
  expect(lines(logs)).toHaveLength(3);
});

test('numbers of events are never given again, whatever was pruned', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, tell, logs, store, clock } = world;
  for (const message of ['one', 'two', 'three']) await tell(message);
  await audit.write();
  clock.jump(1000);
  await store.pruneEvents(clock.wall());
  await tell('four');
  await audit.write();
  expect(lines(logs)).toHaveLength(4);
});

test('three processes over a change of week: every line is there once, in the log of a week', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { logs } = world;
  const weeks = [Date.parse('2025-11-09T23:59:00Z'), Date.parse('2025-11-10T00:00:00Z')];
  const names = ['a', 'b', 'c'];
  const each = 40;
  const ends = await Promise.all(
    names.map((name) => ended({ database: join(folder.path, 'tutti.db'), logs, name, lines: each, weeks })),
  );
  expect(ends).toEqual(names.map(() => ({ code: 0, stderr: '' })));
  const found = allLines(logs).map((line) => line.split('Sessions: ')[1] ?? '');
  const wanted = names.flatMap((name) =>
    weeks.flatMap((week) => Array.from({ length: each }, (_, n) => `${name} ${week} ${n} end`)),
  );
  expect(found.toSorted()).toEqual(wanted.toSorted());
  expect(readdirSync(logs).toSorted()).toEqual(['orchestrator.log', 'orchestrator.log.2025-W45']);
  // What was written before the first line of the new week can only be in the old log.
  expect(lines(logs)[0]).toContain('2025-11-10');
});

test('control: processes without a common lock that look first and move the cursor afterwards write lines twice', async () => {
  using folder = tempFolder();
  using one = rig(folder.path);
  using other = rig(folder.path);
  await one.tell('once');
  let looked = 0;
  let bothLooked = (): void => undefined;
  const both = new Promise<void>((resolve) => {
    bothLooked = resolve;
  });
  const wrong = ({ store, queries, logs }: typeof one, lock: string) =>
    new AuditLog({
      queries,
      logs,
      lock: `${logs}.${lock}`,
      store: {
        isInPlace: () => store.isInPlace(),
        retakeAudit: () => store.retakeAudit(),
        takeAudit: async (limit) => {
          const seen = [...(await queries.audit.events({ since: 0, session: null, types: null }, 0, 1000))];
          looked += 1;
          if (looked === 2) bothLooked();
          await both;
          await store.takeAudit(limit);
          return seen;
        },
      },
    });
  await Promise.all([wrong(one, 'a').write(), wrong(other, 'b').write()]);
  expect(lines(one.logs)).toHaveLength(2);
});

function ended(task: WriterTask): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn(process.execPath, [repository('test/sessions/victim.ts'), JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stderr });
    });
  });
}

test('nothing is made where there is nothing to tell', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const { audit, logs } = world;
  await audit.write();
  await audit.rebuild();
  expect(existsSync(logs)).toBe(false);
});

test('a process that is suspended while it writes the log hides no line from it and keeps no other process waiting', async () => {
  using folder = tempFolder();
  using world = rig(folder.path);
  const holder = spawn('sleep', ['600'], { stdio: 'ignore' });
  const lock = join(folder.path, 'audit-lock.1');
  try {
    writeFileSync(lock, JSON.stringify(identify(holder.pid ?? 0)));
    holder.kill('SIGSTOP');
    await world.tell('first');
    await Promise.all([world.audit.write(), world.audit.write(), world.audit.write()]);
    expect(existsSync(world.logs)).toBe(false);
  } finally {
    holder.kill('SIGKILL');
  }
  await once(holder, 'exit');
  await world.tell('second');
  await world.audit.write();
  expect(lines(world.logs).map((line) => /first|second/.exec(line)?.[0])).toEqual(['first', 'second']);
});
