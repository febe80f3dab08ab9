import type { Queries } from '../../src/model/ports/queries.ts';

export const taskIds = ['T001', 'T002'] as const;
export type TaskId = (typeof taskIds)[number];

export const planRun = 'p-execute';

/** What truly became of a turn; the tables may not know it. */
export interface TrueTurn {
  readonly id: string;
  readonly run: string;
  readonly step: TaskId;
  readonly process: 'none' | 'alive' | 'exited' | 'gone';
  /** Whether the tables know how it ended. */
  readonly recorded: 'no' | 'ended' | 'lost';
}

export interface TrueRun {
  readonly id: string;
  /** The process that claimed it last, living or not. */
  readonly pid: number | null;
  readonly ended: boolean;
  readonly halt: 'no' | 'halting' | 'halted';
  /** What a person is asked, by step. */
  readonly asks: ReadonlyMap<TaskId, string>;
  readonly proven: ReadonlySet<TaskId>;
  /** Tasks of the plan that it began. */
  readonly begun: ReadonlySet<TaskId>;
}

/** What is true of a project, known without asking the program. */
export interface Truth {
  /** In the order of their creation. */
  readonly runs: readonly TrueRun[];
  readonly turns: readonly TrueTurn[];
  /** Input tokens of the plan. */
  readonly tokens: number;
  /** For planted lies, which tell what the tables say. */
  readonly queries: Queries;
  isHeld(run: TrueRun): boolean;
  statusOf(turn: TrueTurn): { readonly status: string; readonly lost: boolean };
}
