import { taskStatuses } from '../../../src/app/plans/agent-led/task-json.ts';
import { type Call, differs, type Row, type Shown } from './calls.ts';
import { type PlanCell, planTasks, type TruePlan } from './plan-cells.ts';

type Word = 'ready' | 'waiting' | 'blocked' | 'running' | 'parked' | 'done' | 'failed' | 'skipped';

/** What each task is, from the first one and what the others need. */
export function trueTasks({ first, allDone }: TruePlan): ReadonlyMap<string, Word> {
  const words = new Map<string, Word>();
  if (first === null) return words;
  for (const { id, dependencies } of planTasks) {
    const needs = dependencies.tasks.map((need) => words.get(need));
    const pending = needs.some((word) => word === 'failed' || word === 'skipped' || word === 'blocked')
      ? 'blocked'
      : needs.every((word) => word === 'done')
        ? 'ready'
        : 'waiting';
    words.set(id, id === 'T001' ? first : allDone ? 'done' : pending);
  }
  return words;
}

const isPending = (word: Word | undefined): boolean =>
  word === 'ready' || word === 'waiting' || word === 'blocked';

function forEachPlan(
  find: (cell: PlanCell, shown: Shown) => readonly string[],
  more: {
    readonly args?: readonly string[];
    readonly only?: (cell: PlanCell) => boolean;
    readonly code?: (cell: PlanCell) => number;
  } = {},
): Row {
  const { args = [], only = () => true, code = () => 0 } = more;
  return ({ plans }) =>
    plans.filter(only).map(
      (cell): Call => ({
        args: [...args, '--plan', cell.id],
        where: `${cell.scene}, holder ${cell.holder}`,
        code: code(cell),
        find: (shown) => find(cell, shown),
      }),
    );
}

const hasTasks = ({ truth }: PlanCell): boolean => truth.first !== null;

interface PlanForm {
  readonly phase: string;
  readonly halt: { readonly halted: boolean };
  readonly tasks: Readonly<Record<string, number>>;
  readonly running: readonly string[];
  readonly parked: readonly { readonly id: string; readonly reason: string }[];
  readonly checkpoint: { readonly tasks: Readonly<Record<string, string>> } | null;
  readonly next: string | null;
}

export const status = forEachPlan(({ truth }, { lines, rows }) => {
  const form = rows[0] as unknown as PlanForm;
  const words = [...trueTasks(truth)];
  const ids = (word: Word) => words.filter(([, each]) => each === word).map(([id]) => id);
  const names = ['ready', 'running', 'parked', 'done', 'failed', 'blocked', 'waiting', 'skipped'] as const;
  const counts = names.map((name) => ({ name, count: ids(name).length }));
  const shownCounts = lines.find((line) => line.startsWith('  tasks ')) ?? '';
  const next = lines.at(-1);
  return [
    ...differs('the phase', form.phase, truth.phase),
    ...differs('whether it is halted', form.halt.halted, truth.halted),
    ...differs('the number of tasks', form.tasks['total'], truth.total),
    ...counts.flatMap(({ name, count }) => differs(`the number of ${name} tasks`, form.tasks[name], count)),
    ...differs('what runs', form.running, ids('running')),
    ...differs(
      'what is parked',
      form.parked.map(({ id }) => id),
      ids('parked'),
    ),
    ...form.parked.filter(({ reason }) => reason === '').map(({ id }) => `${id} is parked for no reason`),
    ...differs('the next command', form.next, truth.next),
    ...differs('the printed next command', next, `  → ${truth.next ?? 'nothing is left to do'}`),
    ...(truth.total === 0
      ? []
      : counts
          .filter(({ name, count }) => name !== 'parked' || count > 0)
          .filter(({ name, count }) => !shownCounts.includes(`${count} ${name}`))
          .map(({ name, count }) => `${count} are ${name}; it prints: ${shownCounts}`)),
    ...runningLies(truth, lines),
    ...checkpointLies(truth, form.checkpoint),
  ];
});

/** Where nothing runs, no line says so. */
function runningLies({ first }: TruePlan, lines: readonly string[]): readonly string[] {
  if (first === 'running') return [];
  return lines.filter((line) => /(?<!0 )\brunning\b|at work /.test(line)).map((line) => `it prints: ${line}`);
}

function checkpointLies({ first }: TruePlan, checkpoint: PlanForm['checkpoint']): readonly string[] {
  const mark = checkpoint?.tasks['T001'];
  return mark === 'running' && first !== 'running' ? ['the checkpoint says that T001 runs'] : [];
}

export const checkpointStatus = forEachPlan(({ truth }, { lines, rows }) => [
  ...runningLies(truth, lines),
  ...checkpointLies(truth, (rows[0] as unknown as PlanForm).checkpoint),
]);

export const list: Row = ({ plans }) => [
  {
    args: [],
    where: 'all of them',
    find: ({ lines, rows }) =>
      plans.flatMap(({ id, truth }) => {
        const row = rows.find(({ plan }) => plan === id);
        const done = [...trueTasks(truth).values()].filter((word) => word === 'done').length;
        const line = lines.find((each) => each.startsWith(`${id} `)) ?? '';
        const words = truth.total === 0 ? 'no tasks' : `${done} of ${truth.total} tasks done`;
        return [
          ...differs(`the phase of ${id}`, row?.['phase'], truth.phase),
          ...differs(`the tasks of ${id}`, [row?.['tasks'], row?.['done']], [truth.total, done]),
          ...(line.replaceAll(/ {2,}/g, '  ').includes(`  ${truth.phase}  ${words}  `)
            ? []
            : [`${id} is printed as: ${line}`]),
        ];
      }),
  },
];

interface OutlookForm {
  readonly tasks: readonly { readonly id: string; readonly status: string }[];
}

/** Before a plan is executed its tasks are pending: which of them could start is not its subject. */
export const show = forEachPlan(
  ({ truth }, { lines, rows }) => {
    const form = rows[0] as unknown as OutlookForm;
    return [...trueTasks(truth)].flatMap(([id, word]) => {
      const plain = isPending(word) ? 'pending' : word;
      const line = lines.find((each) => each.startsWith(`${id} `)) ?? '';
      return [
        ...differs(`task ${id}`, form.tasks.find((task) => task.id === id)?.status, plain),
        ...(line.includes(` ${plain} `) ? [] : [`${id} is ${plain}; it prints: ${line}`]),
      ];
    });
  },
  { only: hasTasks },
);

const allTasks = forEachPlan(({ truth }, { lines, rows }) =>
  [...trueTasks(truth)].flatMap(([id, word]) => {
    const line = lines.find((each) => each.startsWith(`${id} `)) ?? '';
    return [
      ...differs(`task ${id}`, rows.find(({ task_id }) => task_id === id)?.['status'], word),
      ...(line.startsWith(`${id}  ${word.padEnd(7)} `) ? [] : [`${id} is ${word}; it prints: ${line}`]),
    ];
  }),
);

const onlyOf = (wanted: Word): Row =>
  forEachPlan(
    ({ truth }, { rows }) => {
      const ids = [...trueTasks(truth)].filter(([, word]) => word === wanted).map(([id]) => id);
      return differs(
        'the list',
        rows.map(({ task_id }) => task_id),
        ids,
      );
    },
    { args: ['--status', wanted], only: hasTasks },
  );

export const taskList: Row = (matrix) => [
  ...allTasks(matrix),
  ...taskStatuses.flatMap((wanted) => onlyOf(wanted)(matrix)),
];

export const taskReady = forEachPlan(({ truth }, { lines, rows }) => {
  const ready = [...trueTasks(truth)].filter(([, word]) => word === 'ready').map(([id]) => id);
  return [
    ...differs('the list', rows.map(({ task_id }) => String(task_id)).toSorted(), ready),
    ...differs('the printed list', lines.map((line) => line.slice(0, 4)).toSorted(), ready),
  ];
});

export const taskShow = forEachPlan(
  ({ truth }, { lines, rows }) => {
    const word = trueTasks(truth).get('T001');
    const plain = isPending(word) ? 'pending' : word;
    return [
      ...differs('the task', rows[0]?.['status'], plain),
      ...(lines[0]?.endsWith(`· ${plain}`) === true ? [] : [`it prints: ${lines[0]}`]),
      ...runningLies(truth, lines),
    ];
  },
  { args: ['T001'], only: hasTasks },
);

function haltRow(code: (cell: PlanCell) => number): Row {
  return forEachPlan(
    ({ truth }, { lines, rows }) => [
      ...differs('whether it is halted', rows[0]?.['halted'], truth.halted),
      ...differs('what runs', rows[0]?.['running'], truth.first === 'running' ? ['T001'] : []),
      ...(lines[0]?.includes(truth.halted ? 'is halted' : 'is not halted') === true
        ? []
        : [`it prints: ${lines[0]}`]),
      ...runningLies(truth, lines),
      ...differs(
        'the next command',
        lines.some((line) => line.includes('→ continue: tutti resume')),
        truth.halted,
      ),
    ],
    { code },
  );
}

export const haltStatus = haltRow(() => 0);
export const checkHalt = haltRow(({ truth }) => (truth.halted ? 1 : 0));

/** No bundle was made: nothing may be called valid. */
function bundleRow(args: readonly string[], code: number): Row {
  return forEachPlan((_cell, { lines }) => differs('what is valid', lines, []), { args, code: () => code });
}

export const bundleList = bundleRow([], 0);
export const bundleValidate = bundleRow(['T001'], 1);
export const bundleIntegrity = bundleRow(['T001'], 1);
