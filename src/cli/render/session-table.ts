import { counted } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';
import type { Activity } from '../../model/activity.ts';
import { stepIdOf } from '../../model/key.ts';
import type { Session, SessionStatus } from '../../model/session.ts';
import { sessionStatuses } from '../../model/session.ts';
import type { Paint, Tone } from './style.ts';
import { fit, pad } from './width.ts';

export interface SessionRow {
  readonly session: Session;
  readonly activity: Activity;
  readonly elapsedMs: number;
}

export interface TableParams {
  readonly paint: Paint;
  readonly columns: number;
}

const titles = ['SESSION ID', 'AGENT', 'STATUS', 'STARTED', 'ELAPSED', 'OUTCOME', 'RUN', 'TASK'] as const;
const statusColumn = 2;
/** The id tells it too, so it goes first where the screen is narrow. */
const startedColumn = 3;

/** Enough for the time and the beginning of the agent's name. */
const shortestId = 24;
/** With the gaps between the columns. */
const elapsedWidth = 14;

/** The head and a line a session. Nothing stands before the id, so that `awk '{print $1}'` gives it. */
export function sessionTable(rows: readonly SessionRow[], { paint, columns }: TableParams): string[] {
  const cells = rows.map(cellsOf);
  const widths = titles.map((title, index) =>
    cells.reduce((widest, row) => Math.max(widest, (row[index] ?? '').length), title.length),
  );
  // A long id leaves room for what the table is read for.
  const [idWidth = 0, agentWidth = 0, statusWidth = 0] = widths;
  widths[0] = Math.min(idWidth, Math.max(shortestId, columns - agentWidth - statusWidth - elapsedWidth));
  const whole = widths.reduce((sum, width) => sum + width + 2, -2);
  const shown = titles.map((_, index) => index).filter((at) => whole <= columns || at !== startedColumn);
  const line = (row: readonly string[]): string =>
    fit(
      shown.map((at) => pad(fit(row[at] ?? '', widths[at] ?? 0), widths[at] ?? 0)).join('  '),
      columns,
    ).trimEnd();
  const from = widths.slice(0, statusColumn).reduce((sum, width) => sum + width + 2, 0);
  return [
    paint('quiet', line(titles)),
    ...rows.map(({ session, activity }, index) => {
      const text = line(cells[index] ?? []);
      const to = from + (cells[index]?.[statusColumn] ?? '').length;
      return `${text.slice(0, from)}${paint(toneOf(session.status, activity), text.slice(from, to))}${text.slice(to)}`;
    }),
  ];
}

/** `Total: 3 sessions (1 running, 1 completed, 1 failed)`. */
export function totalsLine(totals: ReadonlyMap<SessionStatus, number>): string {
  const perStatus = sessionStatuses.flatMap((status) => {
    const count = totals.get(status) ?? 0;
    return count === 0 ? [] : [`${count} ${status.toLowerCase()}`];
  });
  const all = [...totals.values()].reduce((sum, count) => sum + count, 0);
  return `Total: ${counted(all, 'session')} (${perStatus.join(', ')})`;
}

/** The status, and what it does where that is not what one expects of it. */
function statusWords({ status, lost }: Session, { at }: Activity): string {
  if (lost) return `${status} (lost)`;
  const expected = at === 'starting' || at === 'working' || at === 'finished';
  return expected ? status : `${status} (${at})`;
}

export function toneOf(status: SessionStatus, { at }: Activity): Tone {
  if (at === 'waiting') return 'waiting';
  if (status === 'COMPLETED') return 'good';
  if (status === 'FAILED' || at === 'dead') return 'bad';
  if (status === 'RUNNING') return at === 'working' ? 'busy' : 'waiting';
  return status === 'CREATED' ? 'plain' : 'waiting';
}

/** In UTC, like the time in a session's id. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

export function secondOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

function cellsOf({ session, activity, elapsedMs }: SessionRow): readonly string[] {
  const { id, agent, lost, outcome, startedAt, runId, key } = session;
  const isOwn = runId === id;
  return [
    id,
    agent,
    statusWords(session, activity),
    startedAt === null ? '-' : minuteOf(startedAt),
    // When its process vanished is not known.
    session.lost ? 'unknown' : formatDuration(elapsedMs),
    lost ? '-' : (outcome ?? '-'),
    isOwn ? '-' : runId,
    isOwn ? '-' : stepIdOf(key),
  ];
}
