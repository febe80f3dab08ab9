import { isTerminal } from '../../../src/model/session.ts';
import { exitCodeOf } from '../../../src/model/outcome.ts';
import type { RunSummary } from '../../../src/model/run.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { StepWord } from '../../../src/app/status/step-status.ts';
import { type Call, differs, type Form, type Matrix, type Row, type Shown } from './calls.ts';
import type { RunCell } from './run-cells.ts';

interface StatusForm {
  readonly state: string;
  readonly outcome: string | null;
  readonly exit_code: number | null;
  readonly driven_by: number | null;
  readonly steps: readonly { readonly id: string; readonly state: string }[];
  readonly questions: readonly object[];
}

const marks: Readonly<Record<StepWord, string>> = {
  running: '●',
  waiting: '◐',
  paused: '◐',
  queued: '○',
  pending: '○',
  blocked: '○',
  skipped: '○',
  done: '✔',
  failed: '✕',
};

const where = ({ scene, holder }: { scene: string; holder: string }): string => `${scene}, holder ${holder}`;

function forEachRun(find: (cell: RunCell, shown: Shown, matrix: Matrix) => readonly string[]): Row {
  return (matrix) =>
    matrix.runs.map(
      (cell): Call => ({ args: [cell.id], where: where(cell), find: (shown) => find(cell, shown, matrix) }),
    );
}

/** A process that holds the run, if one does. */
function holderOf({ holder, truth }: RunCell, { project }: Matrix): number | null {
  const isOver = truth.state === 'ended' || truth.state === 'halted';
  return holder === 'alive' && !isOver ? project.pid : null;
}

function statusLies(cell: RunCell, form: Form | undefined, matrix: Matrix): readonly string[] {
  const { truth } = cell;
  const { state, outcome, exit_code, driven_by, steps, questions } = form as unknown as StatusForm;
  const step = (id: string) => steps.find((each) => each.id === id)?.state;
  return [
    ...differs('the state', state, truth.state),
    ...differs('the outcome', outcome, truth.outcome),
    ...differs('the exit code', exit_code, truth.outcome === null ? null : exitCodeOf(truth.outcome)),
    ...differs('the holder', driven_by, holderOf(cell, matrix)),
    ...differs('step work', step('work'), truth.work),
    ...differs('step tool', step('tool'), truth.tool),
    ...differs('the number of questions', questions.length, truth.questions),
  ];
}

export const status = forEachRun((cell, { lines, rows }, matrix) => {
  const { id, truth } = cell;
  const [head = '', ...rest] = lines;
  const holder = holderOf(cell, matrix);
  const step = (name: string) => rest.find((line) => line.slice(2).startsWith(name))?.[0];
  const done = [truth.work, truth.tool].filter((word) => word === 'done').length;
  const hints = rest.filter((line) => line.startsWith('  →')).map((line) => /tutti (\S+)/.exec(line)?.[1]);
  const hint = truth.hint === 'budget' ? 'run' : truth.hint;
  // The agent of a failed step left a log. What the budget ended did not fail by itself.
  const isFailed = truth.state === 'ended' && truth.work === 'failed' && truth.outcome !== 'BUDGET_EXCEEDED';
  const logs = isFailed ? ['logs'] : [];
  const slots = /slots (\d+)\//.exec(head)?.[1] ?? null;
  return [
    ...statusLies(cell, rows[0], matrix),
    ...(head.includes(`run ${id} · ${truth.outcome ?? truth.state} `) ? [] : [`the head says: ${head}`]),
    ...(head.includes(` ${done} of 2 done`) ? [] : [`${done} steps are done; the head says: ${head}`]),
    ...differs('the number of slots', slots, truth.outcome === null ? String(truth.atWork) : null),
    ...differs(
      'the process',
      rest.find((line) => line.includes('advanced by')) ?? null,
      holder === null ? null : `  advanced by process ${holder}`,
    ),
    ...differs('the mark of work', step('work'), marks[truth.work]),
    ...differs('the mark of tool', step('tool'), marks[truth.tool]),
    ...differs('the next command', hints, [...logs, ...(hint === null ? [] : [hint])]),
  ];
});

export const report = forEachRun((cell, { lines, rows }, matrix) => {
  const { truth } = cell;
  const outcome = lines.find((line) => line.startsWith('- Outcome:')) ?? '';
  const cells = (name: string) => lines.find((line) => line.startsWith(`| ${name} |`))?.split(' | ') ?? [];
  const session = cell.sessionId === null ? [] : cells(cell.sessionId);
  return [
    ...statusLies(cell, (rows[0] as { status?: Form } | undefined)?.status, matrix),
    ...(outcome.includes(truth.outcome ?? truth.state) ? [] : [`the report says: ${outcome}`]),
    ...differs('step work', cells('work')[1], truth.work),
    ...differs('step tool', cells('tool')[1], truth.tool),
    ...(cell.sessionId === null ? [] : differs('its session', session[5], truth.session?.status)),
  ];
});

/** The feed tells what happened: a ✔ in it needs what proves it. */
export const events = forEachRun(({ truth, scene }, { lines, rows }) => {
  const good = lines.filter((line) => line.includes('✔')).map((line) => line.replace(/^.*✔ /, ''));
  const isProven = (text: string): boolean => {
    if (text.startsWith('run ended')) return truth.outcome === 'SUCCESS';
    if (/^work\/gate-\d done$/.test(text)) return scene.includes('gate of a turn passed');
    if (/^tool\/gate-\d done$/.test(text)) return /gate of a command|command is proven/.test(scene);
    if (/^work done$/.test(text)) return truth.work === 'done';
    return /^tool done$/.test(text) && truth.tool === 'done';
  };
  const ends = rows.filter(({ type }) => type === 'run.ended').map(({ outcome }) => outcome);
  return [
    ...good.filter((text) => !isProven(text)).map((text) => `it prints ✔ ${text}`),
    ...differs('the end', ends, truth.state === 'ended' ? [truth.outcome] : []),
  ];
});

interface CostForm {
  readonly turns: number;
  readonly running: number;
}

export const costs = forEachRun(({ scene, truth: { session } }, { lines, rows }) => {
  const { turns, running } = (rows[0] as unknown as { total: CostForm }).total;
  // A turn whose process never was used nothing.
  const began = session !== null && scene !== 'a turn was promised its slot';
  const live = began && !isTerminal(session.status) ? 1 : 0;
  const told = lines.find((line) => line.includes('still running'));
  return [
    ...differs('the number of turns at work', running, live),
    ...differs('the number of turns', turns, began ? 1 - live : 0),
    ...differs('the line about turns at work', told !== undefined, live > 0),
  ];
});

interface KnownRun {
  readonly id: string;
  readonly state: RunSummary;
  readonly outcome: Outcome | null;
}

/** Every run of which the matrix knows the state. */
function knownRuns({ runs, sessions, plans }: Matrix): readonly KnownRun[] {
  return [
    ...runs.map(({ id, truth: { state, outcome } }) => ({ id, state, outcome })),
    ...sessions.map(({ id, over, holder, truth }): KnownRun => {
      const state = over ? 'ended' : holder === 'alive' ? 'running' : 'undriven';
      return { id, state, outcome: over ? truth.outcome : null };
    }),
    ...plans.flatMap(({ run }) => run ?? []),
  ];
}

function runMark({ state, outcome }: KnownRun): string {
  if (outcome === 'SUCCESS') return '✔';
  if (outcome === 'HALTED' || outcome === 'INTERRUPTED') return '◐';
  if (outcome === 'PARTIAL_SUCCESS') return '◐';
  if (outcome !== null) return '✕';
  return state === 'running' ? '●' : '◐';
}

export const runs: Row = (matrix) => [
  {
    args: ['--all', '--sessions'],
    where: 'all of them',
    find: ({ lines, rows, aside }) => {
      const known = knownRuns(matrix);
      const overdue = /tutti resume (\S+)/.exec(aside)?.[1];
      const named = known.find(({ id }) => id === overdue);
      return [
        ...known.flatMap((run) => {
          const row = rows.find(({ run_id }) => run_id === run.id);
          const words = lines.find((line) => line.split(/\s+/)[1] === run.id)?.split(/\s+/) ?? [];
          return [
            ...differs(`the state of ${run.id}`, row?.['state'], run.state),
            ...differs(`the outcome of ${run.id}`, row?.['outcome'], run.outcome),
            ...differs(`the mark of ${run.id}`, words[0], runMark(run)),
            ...differs(`the word for ${run.id}`, words[2], run.outcome ?? run.state),
          ];
        }),
        ...(named === undefined || ['running', 'ended'].includes(named.state)
          ? [`it says that ${overdue ?? 'nothing'} waits for a process`]
          : []),
      ];
    },
  },
];

export const inbox: Row = (matrix) => [
  {
    args: [],
    where: 'all of them',
    find: ({ lines, rows }) => {
      const asked = matrix.runs.filter(({ truth }) => truth.questions > 0).map(({ id }) => id);
      const plans = matrix.plans.flatMap(({ run }) => (run?.state === 'waiting' ? [run.id] : []));
      const { questions } = rows[0] as unknown as { questions: readonly { run_id: string; id: string }[] };
      const ids = questions.map(({ run_id }) => run_id);
      const unseen = questions.filter(
        ({ id }) => !lines.some((line) => line.includes(`tutti answer ${id} `)),
      );
      return [
        ...differs('what asks', ids.toSorted(), [...asked, ...plans].toSorted()),
        ...unseen.map(({ id }) => `${id} is not printed with its command`),
      ];
    },
  },
];
