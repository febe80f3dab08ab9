import { haltRunOrPlan, interruptReasons, tasksUnderWay } from '../app/plans/agent-led/halt-run.ts';
import { identifyCaller } from '../app/people/identify-caller.ts';
import { isConducted } from '../app/runs/run-holder.ts';
import { killAtOnce } from '../app/runs/kill-runs.ts';
import type { Tutti } from '../app/tutti.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { stepIdOf } from '../model/key.ts';
import { exitCodeOf } from '../model/outcome.ts';
import type { Context, Key, StopSignal } from './context.ts';
import { counted } from '../lib/counted.ts';
import { finishStopHint } from './render/run-hint.ts';

export interface InterruptParams {
  readonly runId: string;
  /** Whether a person sits there who can be asked. */
  readonly asks: boolean;
  readonly say: (line: string) => void;
  /** The person leaves the run to the conductor. */
  readonly detach: () => void;
}

/** How long the end of a run may take to be recorded once its processes were killed, before the command leaves. */
const recordingMs = 2000;

/**
 * Once drains, twice stops, three times kills what ignores the stop, four times leaves at once; whichever it was, the run can be
 * resumed. A person who only watches the conductor is asked first, because for them Ctrl-C may mean to leave.
 */
export function heedInterrupts(
  context: Context,
  tutti: Tutti,
  { runId, asks, say, detach }: InterruptParams,
): Disposable {
  let pressed = 0;
  let question: Disposable | null = null;
  let leaving: Disposable | null = null;
  let isOver = false;
  const leave = (): void => {
    say(`left before the stop of run ${runId} was recorded; ${finishStopHint(runId)}`);
    context.leave(exitCodeOf('INTERRUPTED'));
  };
  const endQuestion = (): void => {
    question?.[Symbol.dispose]();
    question = null;
  };
  const interrupt = (signal: StopSignal): void => {
    // A signal at the question answers it: a key that is pressed later must not detach from a run that halts.
    endQuestion();
    pressed += 1;
    if (pressed === 1) {
      void haltingLine(tutti, runId).then(say);
      void halt(tutti, runId, interruptReasons[signal]);
    } else if (pressed === 2) {
      say('stopping: ending every process of the run (Ctrl-C again kills them at once)');
      tutti.wishes.want(runId, 'stop', interruptReasons[signal], identifyCaller(tutti.caller).name);
      ignoreFailure(tutti.wishes.record(runId));
    } else if (pressed === 3) {
      say('killing: every process of the run is killed (Ctrl-C again leaves at once)');
      void killAtOnce(tutti, runId).finally(() => {
        if (!isOver) leaving = tutti.clock.timer(tutti.clock.wall() + recordingMs, leave);
      });
    } else leave();
  };
  const ask = (): void => {
    say(
      `the conductor advances run ${runId}: press d to detach, h or Ctrl-C to halt it, any other key to keep watching`,
    );
    question = context.input.onKey((key) => {
      endQuestion();
      const choice = chooseByKey(key);
      if (choice === 'detach') detach();
      else if (choice === 'halt') interrupt('SIGINT');
      else say('still watching (Ctrl-C asks again)');
    });
  };
  // Signals are heard in their order: the next one waits for the look that the first one needs.
  let heard: Promise<void> = Promise.resolve();
  const hear = async (signal: StopSignal): Promise<void> => {
    const mayAsk = asks && pressed === 0 && signal === 'SIGINT' && question === null;
    if (mayAsk && (await isConducted(tutti, runId).catch(() => false))) ask();
    else interrupt(signal);
  };
  const signals = context.onSignal((signal) => {
    heard = heard.then(() => hear(signal));
  });
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      endQuestion();
      leaving?.[Symbol.dispose]();
      signals[Symbol.dispose]();
    },
  };
}

/** Ctrl-C a second time insists: while keys are read it comes as a key, and not as a signal. */
function chooseByKey({ name, ctrl }: Key): 'detach' | 'halt' | 'watch' {
  if (ctrl === true) return name === 'c' ? 'halt' : 'watch';
  if (name === 'd') return 'detach';
  return name === 'h' ? 'halt' : 'watch';
}

/** What the database cannot take is kept in memory and elsewhere: nothing new is launched in any case. */
async function halt(tutti: Tutti, runId: string, reason: string): Promise<void> {
  try {
    await haltRunOrPlan(tutti, runId, reason);
  } catch {
    tutti.wishes.want(runId, 'halt', reason, identifyCaller(tutti.caller).name);
    ignoreFailure(tutti.wishes.record(runId));
  }
}

/** Names who still works, because they go on costing money. A database that cannot be read must not keep a signal from being heard. */
async function haltingLine(tutti: Tutti, runId: string): Promise<string> {
  try {
    const tasks = await tasksUnderWay(tutti, runId);
    return tasks === null ? await haltingStepsLine(tutti, runId) : haltingTasksLine(tasks);
  } catch {
    return haltingAll;
  }
}

const haltingAll = 'halting: nothing new starts (Ctrl-C again stops the run)';

/** A task takes several turns, and some of them are still to come. */
function haltingTasksLine(tasks: readonly string[]): string {
  if (tasks.length === 0) return haltingAll;
  const named = `${tasks.length === 1 ? 'task' : 'tasks'} ${oneLine(tasks.join(', '), 300)}`;
  return `halting: agents finish ${named}, no other task starts (Ctrl-C again stops them)`;
}

async function haltingStepsLine({ queries }: Tutti, runId: string): Promise<string> {
  const working = (await queries.entries(runId)).filter(({ state }) => state.at === 'launched');
  const agents = working.filter(({ kind }) => kind === 'session').map(({ key }) => stepIdOf(key));
  const others = working.length - agents.length;
  const named = [
    ...(agents.length === 0
      ? []
      : [`${counted(agents.length, 'agent')} (${oneLine(agents.join(', '), 300)})`]),
    ...(others === 0 ? [] : [counted(others, 'command')]),
  ];
  if (named.length === 0) return haltingAll;
  const still = working.length === 1 ? 'still works and may finish' : 'still work and may finish';
  return `halting: ${named.join(' and ')} ${still}, nothing new starts (Ctrl-C again stops them)`;
}

/** A store that cannot take the request fails the advance as well, and that is where it is told. */
function ignoreFailure(asked: Promise<unknown>): void {
  asked.catch(() => undefined);
}
