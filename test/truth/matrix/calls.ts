import { type CliEnd } from '../../cli/rig.ts';
import type { PlanCell } from './plan-cells.ts';
import { deadPid, type MatrixProject } from './project.ts';
import type { RunCell, TrueSession } from './run-cells.ts';
import type { SessionCell } from './session-cells.ts';

/** Every cell of the matrix, in one project. */
export interface Matrix {
  readonly project: MatrixProject;
  readonly runs: readonly RunCell[];
  readonly sessions: readonly SessionCell[];
  readonly plans: readonly PlanCell[];
}

/** What a command printed, as text and as JSON. */
export interface Shown {
  readonly lines: readonly string[];
  /** Standard error of the text. */
  readonly aside: string;
  readonly rows: readonly Form[];
}

/** A published form, of which a row compares what it knows. */
export type Form = Readonly<Record<string, unknown>>;

/** One look at one cell. */
export interface Call {
  readonly args: readonly string[];
  /** The cell, in words. */
  readonly where: string;
  /** With which code it ends; absent: 0. */
  readonly code?: number;
  /** The reader leaves at once, because the command would follow what lives; absent: it stays. */
  readonly leaves?: boolean;
  /** What is shown and not true. */
  readonly find: (shown: Shown) => readonly string[];
}

export type Row = (matrix: Matrix) => readonly Call[];

/** Runs a command for every cell that concerns it; everything untrue, each with its cell. */
export async function findLies(matrix: Matrix, words: string, row: Row): Promise<readonly string[]> {
  const found: string[] = [];
  for (const call of row(matrix)) {
    const line = [...words.split(' '), ...call.args];
    const before = matrix.project.version();
    const { leaves = false } = call;
    const text = await matrix.project.cli(leaves, ...line);
    const json = await matrix.project.cli(leaves, ...line, '--json');
    const lies = [
      ...(matrix.project.version() === before ? [] : ['it changed a row']),
      ...commonLies(text, call),
      ...commonLies(json, call),
      ...compare(text, json, call),
    ];
    found.push(...lies.map((lie) => `tutti ${line.join(' ')} (${call.where}): ${lie}`));
  }
  return found;
}

function commonLies({ out, err, code }: CliEnd, { code: expected = 0 }: Call): readonly string[] {
  return [
    ...(code === expected ? [] : [`it ended with ${code}, not ${expected}: ${err.trim()}`]),
    ...(`${out}${err}`.includes(String(deadPid)) ? ['it names a process that is dead'] : []),
    ...(err.includes('readonly') ? ['it tried to write'] : []),
  ];
}

function compare(text: CliEnd, json: CliEnd, { find }: Call): readonly string[] {
  const split = (all: string): readonly string[] => all.split('\n').filter((line) => line !== '');
  const rows: Form[] = [];
  for (const line of split(json.out)) {
    try {
      rows.push(JSON.parse(line) as Form);
    } catch {
      return [`it prints what is no JSON: ${line}`];
    }
  }
  return find({ lines: split(text.out), aside: text.err, rows });
}

/** Nothing where both are the same; else a sentence. */
export function differs(what: string, shown: unknown, truth: unknown): readonly string[] {
  const [a, b] = [JSON.stringify(shown), JSON.stringify(truth)];
  return a === b ? [] : [`${what} is shown as ${a ?? 'nothing'}, and is ${b ?? 'nothing'}`];
}

interface KnownSession extends TrueSession {
  readonly id: string;
}

/** Every session there is, of whichever cell. */
export function allSessions({ runs, sessions, plans }: Matrix): readonly KnownSession[] {
  return [
    ...runs.flatMap(({ sessionId: id, truth: { session } }) =>
      id === null || session === null ? [] : [{ id, ...session }],
    ),
    ...sessions.map(({ id, truth }) => ({ id, ...truth })),
    ...plans.flatMap((plan) => plan.sessions),
  ];
}
