import { digest } from '../../src/lib/digest.ts';
import { plain, recorded, type Json } from '../../src/lib/json.ts';
import type { Completion } from '../../src/model/entry.ts';
import { stepIdOf } from '../../src/model/key.ts';
import { readOperation } from '../../src/model/operations.ts';
import type { Acceptance, TaskEnding, WrittenFiles } from '../../src/model/plan/execute-parts.ts';
import type { AttemptEnd, Host, LaunchedAttempt } from '../../src/model/ports/host.ts';
import type { LandEnd, Workspace } from '../../src/model/workspace.ts';
import type { SessionSpec, TurnOutcome } from '../../src/model/turn.ts';
import { unknownUsage } from '../../src/model/usage.ts';

/** What happens with one task. Each list is walked through; its last item goes on for ever. */
export interface Script {
  /** Paths that the workspace holds after each turn of the executor. */
  readonly writes?: readonly (readonly string[])[];
  /** Every turn leaves the same files as the one before. */
  readonly sameTree?: boolean;
  /** Whether the acceptance command passes, each time it is run, or the code that it ends with. */
  readonly accepts?: readonly (boolean | number)[];
  readonly verifies?: readonly ('success' | 'failed' | 'silent' | 'signed-out')[];
  readonly lands?: readonly LandEnd['at'][];
  /** Code of the command that breaks a landing. */
  readonly landsWith?: number;
  /** The command that breaks a landing is the setup of the checkout. */
  readonly landsUnprepared?: boolean;
  /** Code of the setup, each time a new workspace is prepared. */
  readonly opens?: readonly number[];
  /** Code of the setup, each time the workspace is brought up to date. */
  readonly brings?: readonly number[];
  /** What each turn of the executor asks. */
  readonly asks?: readonly (readonly string[])[];
  /** The executor's own account. */
  readonly says?: readonly TurnOutcome['outcome'][];
  readonly takesMs?: number;
  /** Digest of what it produces. */
  readonly makes?: string;
  /** The launch itself is refused. */
  readonly refused?: boolean;
}

export interface Ended {
  readonly task: string;
  readonly ending: TaskEnding;
}

interface Args {
  readonly task: string;
  readonly attempt: number;
  readonly workspace: Workspace;
  readonly ending: TaskEnding;
  readonly criterion: { readonly criterion: string };
  readonly command: string;
  readonly without?: readonly string[];
}

type Timer = (ms: number, done: () => void) => void;

/** A machine with the operations of `execute` in the test's hand: every part of every task goes as its script says. */
export class SteeredPlan implements Host {
  /** `T001`, `T001/heal-1`, `T001/verify`: sessions that were launched, in order. */
  readonly turns: string[] = [];
  /** Step ids of everything that was launched. */
  readonly parts: string[] = [];
  readonly prompts = new Map<string, string>();
  readonly endings: Ended[] = [];
  readonly begun: string[] = [];
  /** The command that prepares every checkout. */
  static readonly setup = 'make ready';
  /** Commands that each landing was not judged by. */
  readonly landings: (readonly string[])[] = [];
  /** Commands that were run without any task's work, and those that fail there. */
  readonly onBase: string[] = [];
  /** What agents were told that need not pass, each time. */
  readonly waived: (readonly string[])[] = [];
  redOnBase: readonly string[] = [];
  /** What a begin answers, instead of beginning. */
  onBegin: ((task: string) => Completion | null) | null = null;
  #most = 0;
  readonly #running = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #scripts: Readonly<Record<string, Script>>;
  readonly #timer: Timer;

  constructor(scripts: Readonly<Record<string, Script>>, timer: Timer = (_ms, over) => over()) {
    this.#scripts = scripts;
    this.#timer = timer;
  }

  /** The largest number of tasks that were between begin and end at one time. */
  get most(): number {
    return this.#most;
  }

  launch(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd> {
    const id = stepIdOf(attempt.key);
    this.parts.push(id);
    if (attempt.kind === 'session') return this.#session(attempt, id, began);
    const { name, args } = readOperation(attempt.spec);
    const completion = this.#operation(name, recorded<Args>(args));
    return Promise.resolve({ completion, session: null });
  }

  adopt(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd> {
    return this.launch(attempt, began);
  }

  end(): undefined {
    // Nothing here runs by itself.
  }

  #next<T>(task: string, kind: string, list: readonly T[] | undefined, usual: T): T {
    const count = this.#counts.get(`${task} ${kind}`) ?? 0;
    this.#counts.set(`${task} ${kind}`, count + 1);
    return list?.[Math.min(count, list.length - 1)] ?? usual;
  }

  #script(task: string): Script {
    return this.#scripts[task] ?? {};
  }

  #session(attempt: LaunchedAttempt, id: string, began: () => void): Promise<AttemptEnd> {
    const spec = recorded<SessionSpec>(attempt.spec);
    const task = spec.handoff.env?.['TUTTI_TASK'] ?? '';
    const script = this.#script(task);
    this.turns.push(id);
    this.prompts.set(id, spec.prompt);
    if (script.refused === true) {
      const failure = { outcome: 'UNAVAILABLE', reason: 'unavailable', message: 'no such program' } as const;
      const session = {
        status: 'FAILED',
        exitCode: null,
        outcome: 'UNAVAILABLE',
        usage: unknownUsage,
      } as const;
      return Promise.resolve({ completion: { at: 'failed', failure }, session });
    }
    began();
    const isVerifier = spec.agent === 'task-verifier';
    const turn = isVerifier
      ? verdictOf(this.#next(task, 'verify', script.verifies, 'success'))
      : accountOf(
          this.#next(task, 'says', script.says, 'SUCCESS'),
          this.#next(task, 'asks', script.asks, []),
        );
    if (!isVerifier) this.#next(task, 'turn', undefined, 0);
    const value = plain({ ...turn, sessionId: attempt.sessionId ?? '' });
    return new Promise((resolve) => {
      this.#timer(isVerifier ? 0 : (script.takesMs ?? 0), () => {
        resolve({
          completion: { at: 'done', outcome: turn.outcome, value },
          session: { status: 'COMPLETED', exitCode: 0, outcome: turn.outcome, usage: unknownUsage },
        });
      });
    });
  }

  #setup({ task, without = [] }: Args, kind: string, codes: readonly number[] | undefined): object {
    const exitCode = this.#next(task, kind, codes, 0);
    if (exitCode === 0 || without.includes(SteeredPlan.setup)) return {};
    return { failedSetup: { command: SteeredPlan.setup, exitCode, output: 'not ready' } };
  }

  #operation(name: string, args: Args): Completion {
    const { task } = args;
    const script = this.#script(task);
    switch (name) {
      case 'plan-take-over':
        return done({ taken: [] });
      case 'task-begin': {
        const other = this.onBegin?.(task) ?? null;
        if (other !== null) return other;
        this.begun.push(task);
        this.#running.add(task);
        this.#most = Math.max(this.#most, this.#running.size);
        return done({ at: 'begun', attempt: args.attempt, since: 1 });
      }
      case 'task-workspace':
        return done({
          workspace: {
            task,
            attempt: args.attempt,
            root: `/w/${task}`,
            dir: `/w/${task}`,
            branch: task,
            base: 'b',
            env: {},
          },
          prepared: {},
          ...this.#setup(args, 'open', script.opens),
        });
      case 'task-bundle':
        return done(`/project/.tutti/plans/p/bundles/${task}-bundle.json`);
      case 'task-written': {
        const turns = this.#counts.get(`${task} turn`) ?? 1;
        const list = script.writes ?? [[`src/${task}.txt`]];
        const created = [...(list[Math.min(turns, list.length) - 1] ?? [])];
        const written: WrittenFiles = {
          files: { created, modified: [], deleted: [] },
          digest: digest([turns, created]),
          problem: null,
          landedBefore: false,
        };
        return done(written);
      }
      case 'task-diff':
        return done({
          text: `+${task}`,
          isWhole: true,
          path: `/p/${task}.diff`,
          tree: script.sameTree === true ? 'tree' : `tree-${this.#counts.get(`${task} turn`) ?? 1}`,
        });
      case 'task-restore':
        return done({ restored: [] });
      case 'task-accept': {
        const said = this.#next(task, 'accept', script.accepts, true);
        const passed = said === true || said === 0;
        const end: Acceptance = {
          criterion: {
            name: args.criterion.criterion,
            status: passed ? 'PASS' : 'FAIL',
            evidence: passed ? 'it passed' : 'it ended with code 1',
          },
          problem: passed ? null : 'exit',
          exitCode: passed ? 0 : typeof said === 'number' ? said : 1,
          output: passed ? '' : `not there, try ${this.#counts.get(`${task} accept`) ?? 0}`,
        };
        return { at: 'done', outcome: passed ? 'SUCCESS' : 'FAILURE', value: plain(end) };
      }
      case 'task-seal':
        return done({
          at: 'sealed',
          sealed: { commit: 'c', tree: 't', files: { created: [], modified: [], deleted: [] } },
        });
      case 'task-land':
        this.landings.push(args.without ?? []);
        return done(landEnd(this.#next(task, 'land', script.lands, 'landed'), script));
      case 'plan-on-base':
        this.onBase.push(args.command);
        return done({ command: args.command, passed: !this.redOnBase.includes(args.command), output: '' });
      case 'task-bring':
        return done({
          workspace: { ...args.workspace, base: 'later' },
          conflicts: [`src/${task}.txt`],
          prepared: {},
          ...this.#setup(args, 'bring', script.brings),
        });
      case 'task-result': {
        this.#running.delete(task);
        this.endings.push({ task, ending: args.ending });
        return done({
          produced: args.ending.error === null ? (script.makes ?? `made by ${task}`) : null,
          rescue: null,
        });
      }
      case 'plan-waived':
        this.waived.push(args.without ?? []);
        return done(null);
      case 'plan-complete':
        return done(null);
      default:
        throw new Error(`the test has no operation '${name}'`);
    }
  }
}

function done(value: unknown): Completion {
  return { at: 'done', outcome: 'SUCCESS', value: plain(value) };
}

function landEnd(at: LandEnd['at'], { landsWith: exitCode = 1, landsUnprepared = false }: Script): Json {
  switch (at) {
    case 'landed':
      return { at, commit: 'c', before: 'b' };
    case 'conflict':
      return { at, files: ['src/shared.txt'] };
    case 'broken':
      return {
        at,
        task: 'T000',
        criterion: 'it still works',
        output: 'it does not',
        command: landsUnprepared ? SteeredPlan.setup : 'make check',
        exitCode,
        ...(landsUnprepared ? { isSetup: true } : {}),
        onto: 'tip',
      };
  }
}

const turn: TurnOutcome = {
  outcome: 'SUCCESS',
  stop: 'finished',
  sessionId: '',
  result: null,
  text: '',
  toolCalls: 1,
  denials: 0,
  conversation: null,
  hookBlocks: 0,
  usage: unknownUsage,
  exitCode: 0,
  failure: null,
  resetAt: null,
};

const result = { summary: 'said', artifacts: [], notes: [], questions: [], usage: null };

export function accountOf(outcome: TurnOutcome['outcome'], asks: readonly string[] = []): TurnOutcome {
  const status = outcome === 'SUCCESS' ? 'success' : 'failed';
  const questions = asks.map((text) => ({ text }));
  return { ...turn, outcome, result: { ...result, status, questions } };
}

function verdictOf(verdict: 'success' | 'failed' | 'silent' | 'signed-out'): TurnOutcome {
  if (verdict === 'success') return accountOf('SUCCESS');
  if (verdict === 'failed') {
    return {
      ...turn,
      outcome: 'FAILURE',
      result: { ...result, status: 'failed', summary: 'a test is missing' },
    };
  }
  if (verdict === 'signed-out') {
    const failure = { outcome: 'UNAVAILABLE', reason: 'sign-in', message: 'the model answered 401' } as const;
    return { ...turn, outcome: 'UNAVAILABLE', failure };
  }
  const failure = { outcome: 'FAILURE', reason: 'no-result', message: 'there is no result' } as const;
  return { ...turn, outcome: 'FAILURE', failure };
}
