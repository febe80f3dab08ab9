import { AuditLog } from '../../src/app/sessions/audit-log.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';

/** What one process of the audit test shall do: tell something, bring the log up to date, and again. */
export interface WriterTask {
  readonly database: string;
  readonly logs: string;
  readonly name: string;
  /** Of each week. */
  readonly lines: number;
  /** When each of its weeks begins. */
  readonly weeks: readonly number[];
}

const task = JSON.parse(process.argv[2] ?? '') as WriterTask;
const clock = new VirtualClock(task.weeks[0]);
using store = new SqliteStore({ path: task.database, clock, maxSessions: 1, isAlive: () => true });
const log = new AuditLog({
  store,
  queries: new SqliteQueries(store.db),
  logs: task.logs,
  lock: `${task.logs}.lock`,
});
for (const week of task.weeks) {
  clock.jump(week - clock.wall());
  for (let n = 0; n < task.lines; n += 1) {
    clock.jump(1000);
    const message = `${task.name} ${week} ${n} end`;
    await store.note(null, { type: 'session.warned', session: null, about: 'stall', message });
    await log.write();
  }
}
