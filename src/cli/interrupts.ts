import { haltRunOrPlan } from '../app/plans/state/halt-run.ts';
import type { Tutti } from '../app/tutti.ts';
import { exitCodeOf } from '../model/outcome.ts';
import type { Context } from './context.ts';

/** Once drains, twice stops, three times leaves at once; whichever it was, the run can be resumed. */
export function heedInterrupts(
  context: Context,
  tutti: Tutti,
  runId: string,
  say: (line: string) => void,
): Disposable {
  let pressed = 0;
  return context.onSignal((signal) => {
    pressed += 1;
    if (pressed === 1) {
      say('halting: what is under way may finish, nothing new starts (Ctrl-C again stops it)');
      ignoreFailure(haltRunOrPlan(tutti, runId, signal === 'SIGINT' ? 'Ctrl-C' : signal));
    } else if (pressed === 2) {
      say('stopping: every process of the run is ended (Ctrl-C again leaves without waiting)');
      ignoreFailure(tutti.store.cancel(runId));
    } else {
      say(`left without waiting: tutti stop ${runId} ends what is alive, tutti resume ${runId} goes on`);
      context.leave(exitCodeOf('INTERRUPTED'));
    }
  });
}

/** A store that cannot take the request fails the drive as well, and that is where it is told. */
function ignoreFailure(asked: Promise<unknown>): void {
  asked.catch(() => undefined);
}
