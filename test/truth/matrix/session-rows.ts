import { isTerminal, sessionStatuses } from '../../../src/model/session.ts';
import { allSessions, type Call, differs, type Matrix, type Row, type Shown } from './calls.ts';
import type { SessionCell } from './session-cells.ts';

function forEachSession(
  find: (cell: SessionCell, shown: Shown, matrix: Matrix) => readonly string[],
  how: (cell: SessionCell) => {
    readonly args: readonly string[];
    readonly code?: number;
    readonly leaves?: boolean;
  },
): Row {
  return (matrix) =>
    matrix.sessions.map(
      (cell): Call => ({
        ...how(cell),
        where: `${cell.scene}, holder ${cell.holder}`,
        find: (shown) => find(cell, shown, matrix),
      }),
    );
}

const named = ({ id }: SessionCell) => ({ args: [id] });

export const list: Row = (matrix) => [
  {
    args: ['--all'],
    where: 'all of them',
    find: ({ lines, rows, aside }) => {
      const known = allSessions(matrix);
      const counted = sessionStatuses.flatMap((status) => {
        const count = known.filter((each) => each.status === status).length;
        return count === 0 ? [] : [`${count} ${status.toLowerCase()}`];
      });
      const totals = `Total: ${known.length} sessions (${counted.join(', ')})`;
      return [
        ...known.flatMap(({ id, status, lost, outcome }) => {
          const row = rows.find(({ session_id }) => session_id === id);
          const line = lines.find((each) => each.startsWith(`${id} `)) ?? '';
          return [
            ...differs(`the status of ${id}`, row?.['status'], status),
            ...differs(`whether ${id} is lost`, row?.['lost'], lost),
            ...differs(`the outcome of ${id}`, row?.['outcome'], outcome),
            ...(line.includes(lost ? `${status} (lost)` : status)
              ? []
              : [`${id} is ${status}; it prints: ${line}`]),
            ...(line.includes('SUCCESS') && outcome !== 'SUCCESS' ? [`it prints SUCCESS for ${id}`] : []),
          ];
        }),
        ...differs('the number of sessions', rows.length, known.length),
        ...differs('the sum', /Total: .*/.exec(aside)?.[0], totals),
      ];
    },
  },
  ...sessionStatuses.map(
    (status): Call => ({
      args: ['--all', '--status', status],
      where: `only ${status}`,
      find: ({ rows }) => {
        const ids = allSessions(matrix).filter((each) => each.status === status);
        return differs(
          'the list',
          rows.map(({ session_id }) => String(session_id)).toSorted(),
          ids.map(({ id }) => id).toSorted(),
        );
      },
    }),
  ),
];

export const status = forEachSession(({ truth }, { lines, rows }, { project }) => {
  const [row] = rows;
  const line = (name: string) =>
    lines.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
  const outcome = truth.outcome === null || truth.lost ? null : truth.outcome;
  return [
    ...differs('the status', row?.['status'], truth.status),
    ...differs('the outcome', row?.['outcome'], truth.outcome),
    ...differs('whether it is lost', row?.['lost'], truth.lost),
    ...differs('the process', row?.['pid'], truth.status === 'RUNNING' ? project.pid : null),
    ...differs('the printed status', line('Status'), truth.lost ? `${truth.status} (lost)` : truth.status),
    ...differs('the printed outcome', line('Outcome')?.replace(/ \(.*/, '') ?? null, outcome),
    ...(isTerminal(truth.status) && /working|starting/.test(line('Activity') ?? '')
      ? [`it has ended, and works: ${line('Activity')}`]
      : []),
  ];
}, named);

export const attach = forEachSession(
  ({ id, truth }, { lines, rows, aside }) => {
    if (isTerminal(truth.status))
      return aside.includes(`(status: ${truth.status})`) ? [] : [`it prints: ${aside}`];
    return [
      ...(lines.includes(`detached: session ${id} continues`) ? [] : [`it prints: ${lines.join('; ')}`]),
      ...differs('the status', rows.at(-1)?.['status'], truth.status),
    ];
  },
  ({ id, truth }) => ({ args: [id], leaves: true, ...(isTerminal(truth.status) ? { code: 64 } : {}) }),
);

/** What a session printed says nothing about it: an ended one is read to its end, and is not waited for. */
export const logs = forEachSession(
  (_cell, { lines }) => differs('the log', lines, []),
  ({ id }) => ({
    args: [id, '--follow'],
    leaves: true,
  }),
);

/** What was recorded: an end that no process has read is not in it. */
export const audit = forEachSession(
  ({ truth, over, scene }, { lines }) => {
    const isRecorded = over || scene.includes('its run continues');
    const ended = lines.filter((line) => /COMPLETED|FAILED|KILLED/.test(line));
    return [
      ...(isRecorded && !ended.some((line) => line.includes(truth.status))
        ? [`its end is missing: ${lines.join('; ')}`]
        : []),
      ...(isRecorded ? [] : ended.map((line) => `it tells an end that was not recorded: ${line}`)),
    ];
  },
  ({ id }) => ({ args: ['--session', id] }),
);
