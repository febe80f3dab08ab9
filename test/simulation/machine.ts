import type { Completion } from '../../src/model/entry.ts';
import { attemptId } from '../../src/model/key.ts';
import type { AttemptEnd, Host, LaunchedAttempt } from '../../src/model/ports/host.ts';
import { unknownUsage } from '../../src/model/usage.ts';
import type { Random } from './random.ts';

interface Process {
  readonly attempt: LaunchedAttempt;
  /** Null while it runs; `barred` was never started and never will be. */
  end: Completion | 'barred' | null;
  dying: boolean;
  readonly listeners: ((end: AttemptEnd) => void)[];
}

/** The machine: its processes know nothing of the engines that started them, and outlive them. */
export class Machine implements Host {
  readonly processes = new Map<string, Process>();
  /** Called when a process really starts. */
  readonly #started: (attempt: LaunchedAttempt) => void;
  readonly #random: Random;

  constructor(random: Random, started: (attempt: LaunchedAttempt) => void) {
    this.#random = random;
    this.#started = started;
  }

  launch(attempt: LaunchedAttempt, began: () => void = () => undefined): Promise<AttemptEnd> {
    const id = attemptId(attempt);
    if (!this.processes.has(id)) {
      this.#started(attempt);
      if (attempt.kind === 'session') began();
      this.processes.set(id, { attempt, end: null, dying: false, listeners: [] });
    }
    return this.#follow(id);
  }

  adopt(attempt: LaunchedAttempt): Promise<AttemptEnd> {
    const id = attemptId(attempt);
    if (!this.processes.has(id))
      this.processes.set(id, { attempt, end: 'barred', dying: false, listeners: [] });
    return this.#follow(id);
  }

  end(attempt: LaunchedAttempt): undefined {
    const found = this.processes.get(attemptId(attempt));
    if (found !== undefined) found.dying = true;
  }

  running(): readonly Process[] {
    return [...this.processes.values()].filter(({ end }) => end === null);
  }

  ended(): readonly Process[] {
    return [...this.processes.values()].filter(({ end }) => end !== null && end !== 'barred');
  }

  /** The process ends: as it was told to, or in one of the ways processes end by themselves. */
  finish(process: Process): string {
    const id = attemptId(process.attempt);
    const how = process.dying ? 'killed' : this.#random.weighted({ done: 10, bad: 1, failed: 1, lost: 1 });
    process.end = endOf(how, id);
    for (const listener of process.listeners.splice(0)) listener(withSession(process.attempt, process.end));
    return how;
  }

  #follow(id: string): Promise<AttemptEnd> {
    const process = this.processes.get(id);
    if (process === undefined) throw new Error(`${id} does not exist`);
    const { attempt, end } = process;
    if (end === 'barred') return Promise.resolve({ completion: { at: 'lost' }, session: null });
    if (end !== null) return Promise.resolve(withSession(attempt, end));
    return new Promise((resolve) => {
      process.listeners.push(resolve);
    });
  }
}

function endOf(how: 'killed' | 'done' | 'bad' | 'failed' | 'lost', id: string): Completion {
  switch (how) {
    case 'done':
      return { at: 'done', outcome: 'SUCCESS', value: `result of ${id}` };
    case 'bad':
      return { at: 'done', outcome: 'FAILURE', value: `bad result of ${id}` };
    case 'failed':
      return { at: 'failed', failure: { outcome: 'FAILURE', reason: 'exit', message: id } };
    case 'lost':
      return { at: 'lost' };
    case 'killed':
      return { at: 'done', outcome: 'INTERRUPTED', value: `killed ${id}` };
  }
}

/** What a host reports of a process that ran. */
export function withSession(attempt: LaunchedAttempt, completion: Completion): AttemptEnd {
  if (attempt.kind === 'task') return { completion, session: null };
  const end =
    completion.at === 'lost'
      ? ({ status: 'FAILED', exitCode: null, outcome: 'FAILURE' } as const)
      : ({ status: 'COMPLETED', exitCode: 0, outcome: 'SUCCESS' } as const);
  // It ran, whether or not a process saw that.
  return { completion, session: { ...end, usage: unknownUsage, startedAt: 0 } };
}
