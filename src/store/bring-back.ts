import { executeRunId, planOfRunId, planRunId } from '../model/plan/task-row.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ChangeLog } from './change-log.ts';
import type { Database, Row } from './database.ts';
import { haltRuns } from './kept-turns.ts';
import { findPlan } from './plan-rows.ts';
import { number, text } from './rows.ts';

/** What a database that was removed knows and the one in its place does not. */
export interface KeptRuns {
  readonly runs: readonly string[];
  readonly sessions: readonly string[];
  readonly plans: readonly string[];
  /** Runs and plans of which one with the same name was made since: they cannot stand beside it. */
  readonly taken: readonly string[];
}

/** What is brought back together: a run with the runs inside it, or a plan with its runs. */
interface Unit {
  readonly plan: string | null;
  readonly runs: Row[];
  readonly sessions: Row[];
}

/** What `removed` has that `db` does not. */
export function compareRuns(db: Database, removed: Database): KeptRuns {
  const units = unitsOf(removed);
  const missing = units.filter((unit) => isMissing(db, unit));
  // What was brought back before is in both, and is the same.
  const taken = units.filter((unit) => !missing.includes(unit) && !isSame(db, removed, unit));
  return {
    runs: missing.flatMap(({ runs }) => runs.map((run) => text(run, 'id'))),
    sessions: missing.flatMap(({ sessions }) => sessions.map((session) => text(session, 'id'))),
    plans: missing.flatMap(({ plan }) => plan ?? []),
    taken: taken.map(nameOfUnit),
  };
}

/**
 * Copies what `removed` has and `db` does not, in one transaction that is kept like any other. Runs that were under way are
 * halted. They count as older than all that `db` has.
 */
export function bringRunsBack(
  db: Database,
  removed: Database,
  {
    backups,
    now,
    reason,
  }: { readonly backups: BackupFolder; readonly now: () => number; readonly reason: string },
): KeptRuns & { readonly halted: readonly string[] } {
  db.exec('begin immediate');
  try {
    using changes = new ChangeLog(db, backups, now).record();
    const found = compareRuns(db, removed);
    const shifts = { runs: shiftOf(db, removed, 'runs'), sessions: shiftOf(db, removed, 'sessions') };
    for (const unit of unitsOf(removed)) if (isMissing(db, unit)) copyUnit(db, removed, unit, shifts);
    // Named by their content: one too many harms nothing.
    for (const blob of removed.all('select * from blobs')) insert(db, 'blobs', blob);
    const halted = haltRuns(db, reason, found.runs);
    changes.keep();
    db.exec('commit');
    return { ...found, halted };
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

function unitsOf(removed: Database): readonly Unit[] {
  const plans = removed.all('select name from plans').map((row) => text(row, 'name'));
  const units = new Map<string, Unit>(plans.map((plan) => [plan, { plan, runs: [], sessions: [] }]));
  const unitOfRun = new Map<string, Unit>();
  for (const run of removed.all('select * from runs order by ordinal')) {
    const root = text(run, 'root');
    const plan = planOfRunId(root);
    const isOfPlan = plans.includes(plan) && [planRunId(plan), executeRunId(plan)].includes(root);
    const name = isOfPlan ? plan : `run ${root}`;
    const unit = units.get(name) ?? { plan: null, runs: [], sessions: [] };
    unit.runs.push(run);
    units.set(name, unit);
    unitOfRun.set(text(run, 'id'), unit);
  }
  for (const session of removed.all('select * from sessions order by ordinal')) {
    unitOfRun.get(text(session, 'run'))?.sessions.push(session);
  }
  return [...units.values()];
}

function nameOfUnit({ plan, runs }: Unit): string {
  const [first] = runs;
  return plan === null ? `run ${first === undefined ? '' : text(first, 'root')}` : `plan ${plan}`;
}

function isMissing(db: Database, { plan, runs, sessions }: Unit): boolean {
  const isKnown = (table: string, column: string, id: string): boolean =>
    db.get(`select 1 from ${table} where ${column} = ?`, id) !== undefined;
  const ids = plan === null ? [] : [planRunId(plan), executeRunId(plan)];
  return (
    !(plan !== null && isKnown('plans', 'name', plan)) &&
    ![...ids, ...runs.map((run) => text(run, 'id'))].some((id) => isKnown('runs', 'id', id)) &&
    !sessions.some((session) => isKnown('sessions', 'id', text(session, 'id')))
  );
}

/** By what a run and a plan keep for all their life. */
function isSame(db: Database, removed: Database, { plan, runs }: Unit): boolean {
  const sameRuns = runs.every((run) => {
    const known = db.get('select trace, started_at from runs where id = ?', text(run, 'id'));
    return known?.['trace'] === run['trace'] && known?.['started_at'] === run['started_at'];
  });
  return sameRuns && (plan === null || findPlan(db, plan)?.createdAt === findPlan(removed, plan)?.createdAt);
}

type Numbered = 'runs' | 'sessions';

/** What is added to the ordinals of the removed database, so that all of them come before those of the other. */
function shiftOf(db: Database, removed: Database, table: Numbered): number {
  const lowest = db.get(`select min(ordinal) as n from ${table}`)?.['n'];
  const highest = removed.get(`select max(ordinal) as n from ${table}`)?.['n'];
  return typeof lowest === 'number' && typeof highest === 'number' ? lowest - 1 - highest : 0;
}

function copyUnit(
  db: Database,
  removed: Database,
  { plan, runs, sessions }: Unit,
  shifts: Readonly<Record<Numbered, number>>,
): void {
  const older = (row: Row, table: Numbered): Row => ({
    ...row,
    ordinal: number(row, 'ordinal') + shifts[table],
  });
  for (const run of runs) {
    const id = text(run, 'id');
    insert(db, 'runs', { ...older(run, 'runs'), holder: null });
    copyRows(db, removed, 'budgets', 'root', id);
    for (const table of ['entries', 'launches', 'questions', 'events'])
      copyRows(db, removed, table, 'run', id);
  }
  for (const session of sessions) insert(db, 'sessions', older(session, 'sessions'));
  if (plan !== null) {
    copyRows(db, removed, 'plans', 'name', plan);
    copyRows(db, removed, 'plan_tasks', 'plan', plan);
  }
}

/** Numbers that only their table gives are given again. */
const ownNumbers: Readonly<Record<string, string>> = { questions: 'id', events: 'seq' };

function copyRows(db: Database, removed: Database, table: string, column: string, value: string): void {
  const own = ownNumbers[table];
  const order = own === undefined ? '' : ` order by ${own}`;
  for (const row of removed.all(`select * from ${table} where ${column} = ?${order}`, value)) {
    insert(db, table, Object.fromEntries(Object.entries(row).filter(([name]) => name !== own)));
  }
}

function insert(db: Database, table: string, row: Row): void {
  const names = Object.keys(row);
  const places = names.map(() => '?').join(', ');
  db.run(
    `insert or ignore into ${table}(${names.join(', ')}) values(${places})`,
    ...names.map((name) => row[name] ?? null),
  );
}
