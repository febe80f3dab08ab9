import { haltRunOrPlan } from '../app/plans/state/halt-run.ts';
import { isConducted } from '../app/runs/drive-run.ts';
import type { Tutti } from '../app/tutti.ts';
import { exitCodeOf } from '../model/outcome.ts';
import type { Context, Key, StopSignal } from './context.ts';

export interface InterruptParams {
  readonly runId: string;
  /** Whether a person sits there who can be asked. */
  readonly asks: boolean;
  readonly say: (line: string) => void;
  /** The person leaves the run to the conductor. */
  readonly detach: () => void;
}

/**
 * Once drains, twice stops, three times leaves at once; whichever it was, the run can be resumed. A person who only watches
 * the conductor is asked first, because for them Ctrl-C may mean to leave.
 */
export function heedInterrupts(
  context: Context,
  tutti: Tutti,
  { runId, asks, say, detach }: InterruptParams,
): Disposable {
  let pressed = 0;
  let question: Disposable | null = null;
  const interrupt = (signal: StopSignal): void => {
    pressed += 1;
    if (pressed === 1) {
      say('halting: what is under way may finish, nothing new starts (Ctrl-C again stops it)');
      ignoreFailure(haltRunOrPlan(tutti, runId, signal === 'SIGINT' ? 'Ctrl-C' : signal));
    } else if (pressed === 2) {
      say('stopping: every process of the run is ended (Ctrl-C again leaves without waiting)');
      ignoreFailure(tutti.store.cancel(runId));
    } else {
      say(`left without waiting: tutti stop ${runId} ends what is alive, tutti resume ${runId} continues it`);
      context.leave(exitCodeOf('INTERRUPTED'));
    }
  };
  const endQuestion = (): void => {
    question?.[Symbol.dispose]();
    question = null;
  };
  const ask = (): void => {
    say(
      `the conductor advances run ${runId}: press d to detach, h to halt it, any other key to keep watching`,
    );
    question = context.input.onKey((key) => {
      endQuestion();
      const choice = chooseByKey(key);
      if (choice === 'detach') detach();
      else if (choice === 'halt') interrupt('SIGINT');
      else say('still watching (Ctrl-C asks again)');
    });
  };
  const signals = context.onSignal((signal) => {
    const isQuestion = asks && pressed === 0 && signal === 'SIGINT' && isConducted(tutti, runId);
    if (isQuestion && question === null) ask();
    else interrupt(signal);
  });
  return {
    [Symbol.dispose]: () => {
      endQuestion();
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

/** A store that cannot take the request fails the drive as well, and that is where it is told. */
function ignoreFailure(asked: Promise<unknown>): void {
  asked.catch(() => undefined);
}
