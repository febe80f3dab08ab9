import type { StepWord } from '../../../src/app/status/step-status.ts';
import { plain } from '../../../src/lib/json.ts';
import type { FlowInput, FlowStep } from '../../../src/model/flow.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import { outcomes } from '../../../src/model/outcome.ts';
import type { RunSummary } from '../../../src/model/run.ts';
import type { SessionStatus } from '../../../src/model/session.ts';
import { newRun } from '../../rig/engine.ts';
import { holderStates, type HolderState, type MatrixProject } from './project.ts';
import { RunStage } from './run-stage.ts';

/** What is true of a session, known because the test made it so. */
export interface TrueSession {
  readonly status: SessionStatus;
  readonly lost: boolean;
  readonly outcome: Outcome | null;
}

/** What is true of a run. `steps` are those of the flow below. */
interface TrueRun {
  readonly state: RunSummary;
  readonly outcome: Outcome | null;
  readonly work: StepWord;
  readonly tool: StepWord;
  readonly questions: number;
  readonly session: TrueSession | null;
  /** How many processes work on it. */
  readonly atWork: number;
  /** What text offers as the next command, after the arrow; null: nothing is to be done, or an answer is. */
  readonly hint: 'resume' | 'stop' | 'budget' | null;
}

export interface RunCell {
  readonly id: string;
  readonly scene: string;
  readonly holder: HolderState;
  readonly sessionId: string | null;
  readonly truth: TrueRun;
}

const gates = [
  { kind: 'file', path: 'one' },
  { kind: 'file', path: 'two' },
] as const;
const rest = {
  needs: [],
  cwd: '.',
  inputs: [],
  retryMax: 0,
  timeoutMs: null,
  required: true,
  estimateMs: null,
};
const work: FlowStep = { id: 'work', work: { kind: 'agent', agent: 'coder', prompt: 'go' }, gates, ...rest };
const tool: FlowStep = { id: 'tool', work: { kind: 'command', argv: ['true'] }, gates, ...rest };

/** What a scene does to a run that was claimed, and what is true then. */
interface Scene {
  readonly play: (stage: RunStage) => Promise<void>;
  readonly truth: (holder: HolderState) => Partial<TrueRun>;
}

const created: TrueSession = { status: 'CREATED', lost: false, outcome: null };
const running: TrueSession = { status: 'RUNNING', lost: false, outcome: null };
const lost: TrueSession = { status: 'FAILED', lost: true, outcome: 'FAILURE' };
const completed: TrueSession = { status: 'COMPLETED', lost: false, outcome: 'SUCCESS' };
/** Its launcher recorded the end, and no process has read it. */
const unread = (status: SessionStatus): TrueSession => ({ status, lost: false, outcome: null });

const isAlive = (holder: HolderState): boolean => holder === 'alive';
const byHolder = (holder: HolderState): StepWord => (isAlive(holder) ? 'running' : 'queued');

/** Every state of a run that is not over. What is not said is as in `usual`. */
const open = {
  'nothing has begun': { play: async () => undefined, truth: () => ({}) },
  'a turn is queued': {
    play: (stage) => stage.openTurn(),
    truth: () => ({ work: 'queued' }),
  },
  'a turn was promised its slot': {
    play: (stage) => stage.admitTurn(),
    truth: (holder) => ({
      work: byHolder(holder),
      session: isAlive(holder) ? created : lost,
      atWork: isAlive(holder) ? 1 : 0,
    }),
  },
  'a turn works': {
    play: (stage) => stage.startTurn(),
    truth: () => ({ work: 'running', session: running, atWork: 1 }),
  },
  'a turn ended well, unread': {
    play: (stage) => stage.exitTurn(0),
    truth: (holder) => ({
      work: byHolder(holder),
      session: unread('COMPLETED'),
      atWork: isAlive(holder) ? 1 : 0,
    }),
  },
  'a turn ended badly, unread': {
    play: (stage) => stage.exitTurn(1),
    truth: (holder) => ({
      work: byHolder(holder),
      session: unread('FAILED'),
      atWork: isAlive(holder) ? 1 : 0,
    }),
  },
  'a turn vanished': {
    play: (stage) => stage.vanishTurn(),
    truth: (holder) => ({ work: byHolder(holder), session: lost, atWork: isAlive(holder) ? 1 : 0 }),
  },
  'a turn is recorded as lost': {
    play: (stage) => stage.recordLoss(),
    truth: () => ({ work: 'queued', session: lost }),
  },
  'a turn said that it is done': {
    play: (stage) => stage.recordTurn(),
    truth: () => ({ work: 'queued', session: completed }),
  },
  'the first gate of a turn passed': {
    play: async (stage) => {
      await stage.recordTurn();
      await stage.passGate('work', 1);
    },
    truth: (holder) => ({ work: byHolder(holder), session: completed }),
  },
  'every gate of a turn passed, without a verdict': {
    play: async (stage) => {
      await stage.recordTurn();
      await stage.passGate('work', 1);
      await stage.passGate('work', 2);
    },
    truth: (holder) => ({ work: byHolder(holder), session: completed }),
  },
  'a turn is proven': {
    play: async (stage) => {
      await stage.recordTurn();
      await stage.judge('SUCCESS');
    },
    truth: () => ({ work: 'done', session: completed }),
  },
  'a turn was refused': {
    play: async (stage) => {
      await stage.recordTurn();
      await stage.judge('FAILURE');
    },
    truth: () => ({ work: 'failed', session: completed }),
  },
  'a command ended well, with gates to come': {
    play: (stage) => stage.recordCommand(),
    truth: (holder) => ({ tool: byHolder(holder) }),
  },
  'the first gate of a command passed': {
    play: async (stage) => {
      await stage.recordCommand();
      await stage.passGate('tool', 1);
    },
    truth: (holder) => ({ tool: byHolder(holder) }),
  },
  'every gate of a command passed, without a verdict': {
    play: async (stage) => {
      await stage.recordCommand();
      await stage.passGate('tool', 1);
      await stage.passGate('tool', 2);
    },
    truth: (holder) => ({ tool: byHolder(holder) }),
  },
  'a command is proven': {
    play: async (stage) => {
      await stage.recordCommand();
      await stage.passGate('tool', 1);
      await stage.passGate('tool', 2);
      await stage.judge('SUCCESS', 'tool');
    },
    truth: () => ({ tool: 'done' }),
  },
  'the run asks a person': {
    play: (stage) => stage.ask(),
    truth: () => ({ state: 'waiting', work: 'waiting', questions: 1 }),
  },
  'a turn asks a person while it works': {
    play: async (stage) => {
      await stage.startTurn();
      await stage.askInTurn();
    },
    truth: () => ({ state: 'waiting', work: 'waiting', questions: 1, session: running, atWork: 1 }),
  },
  'a turn vanished after it asked': {
    play: async (stage) => {
      await stage.vanishTurn();
      await stage.askInTurn();
    },
    truth: (holder) => ({ work: byHolder(holder), session: lost, atWork: isAlive(holder) ? 1 : 0 }),
  },
  'the run sleeps until a limit is over': {
    play: (stage) => stage.sleep(),
    truth: () => ({ state: 'paused', work: 'paused' }),
  },
  'a stop was asked for': {
    play: async (stage) => {
      await stage.project.tutti.store.cancel(stage.fence.runId);
    },
    // Continuing it would only end it.
    truth: (holder) => ({ hint: isAlive(holder) ? null : 'stop' }),
  },
  'halting while a turn works': {
    play: async (stage) => {
      await stage.startTurn();
      await stage.halt();
    },
    truth: () => ({ state: 'halting', work: 'running', session: running, atWork: 1 }),
  },
  'halting, and nothing works': {
    play: (stage) => stage.halt(),
    truth: () => ({ state: 'halting' }),
  },
} satisfies Readonly<Record<string, Scene>>;

const halted: Scene = {
  play: async (stage) => {
    await stage.recordTurn();
    await stage.halt();
    await stage.project.tutti.store.settleHalt(stage.fence);
  },
  truth: () => ({ state: 'halted', outcome: 'HALTED', work: 'queued', session: completed }),
};

/** One scene for each outcome that a run can end with. */
function endedWith(outcome: Outcome): Scene {
  const isGood = outcome === 'SUCCESS';
  const isStopped = outcome === 'INTERRUPTED';
  return {
    play: async (stage) => {
      await stage.recordTurn();
      if (!isStopped) await stage.judge(outcome);
      await stage.finish(outcome);
    },
    truth: () => ({
      state: 'ended',
      outcome,
      // What a stopped run has not judged is judged when it continues.
      work: isStopped ? 'queued' : isGood ? 'done' : 'failed',
      tool: isStopped ? 'pending' : outcome === 'TIMEOUT' ? 'skipped' : 'blocked',
      session: completed,
    }),
  };
}

const scenes: Readonly<Record<string, Scene>> = {
  ...open,
  halted,
  ...Object.fromEntries(
    outcomes.filter((each) => each !== 'HALTED').map((each) => [`ended with ${each}`, endedWith(each)]),
  ),
};

const runScenes = Object.keys(scenes);

/** Every state of a run with every kind of holder, each as a run of its own. */
export async function playRuns(project: MatrixProject): Promise<readonly RunCell[]> {
  const cells: RunCell[] = [];
  for (const [scene, { play, truth }] of Object.entries(scenes)) {
    for (const holder of holderStates) {
      const id = `run-${runScenes.indexOf(scene)}-${holder}`;
      await project.tutti.store.start(
        newRun(id, 'flow', inputOf(project), { concurrency: 4, limits: { depth: 5, launches: 1 } }),
      );
      const stage = new RunStage(project, await project.claim(id, holder));
      await play(stage);
      const usual: TrueRun = {
        state: isAlive(holder) ? 'running' : 'undriven',
        outcome: null,
        work: 'pending',
        tool: 'pending',
        questions: 0,
        session: null,
        atWork: 0,
        hint: null,
      };
      const made = { ...usual, ...truth(holder) };
      const told: TrueRun = { ...made, hint: made.hint ?? hintOf(made, holder) };
      if (told.state !== 'ended' && told.state !== 'halted') await project.leave(stage.fence, holder);
      cells.push({ id, scene, holder, sessionId: stage.sessionId, truth: told });
    }
  }
  return cells;
}

/** The command that helps in each state. */
function hintOf({ state, outcome }: TrueRun, holder: HolderState): TrueRun['hint'] {
  switch (state) {
    case 'running':
    case 'waiting':
      return null;
    case 'undriven':
    case 'halted':
      return 'resume';
    case 'paused':
    case 'halting':
      return isAlive(holder) ? null : 'resume';
    case 'ended':
      if (outcome === 'SUCCESS') return null;
      return outcome === 'BUDGET_EXCEEDED' ? 'budget' : 'resume';
  }
}

function inputOf({ path }: MatrixProject) {
  const flow = { name: 'flow', concurrency: 4, budget: {}, steps: [work, tool] };
  const input: FlowInput = { flow, projectDir: path, agents: {}, inputDigests: {}, sessionTimeoutMs: 60_000 };
  return plain(input);
}
