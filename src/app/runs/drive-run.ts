import type { Drive, Engine } from '../../kernel/engine.ts';
import type { Outcome } from '../../model/outcome.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Tutti } from '../tutti.ts';

const viewsEveryMs = 500;

export interface DriveParams {
  readonly runId: string;
  /** Wait for people too, instead of giving the run back. */
  readonly stay: boolean;
}

/** Drives one run here and keeps its views up to date. */
export async function driveRun(
  tutti: Tutti,
  { runId, stay }: DriveParams,
): Promise<Result<Outcome, Refusal>> {
  using engine = tutti.engine();
  const views = tutti.views();
  using _ticking = tutti.clock.every(viewsEveryMs, () => {
    views.update(runId);
  });
  try {
    return outcomeOf(runId, await engine.drive(runId, { stay }));
  } catch (error) {
    if (error instanceof StoreUnavailable) return err(refusal('UNAVAILABLE', error.message, error.hint));
    throw error;
  } finally {
    views.update(runId);
  }
}

/** Keeps driving until nothing but questions remains. For the conductor: every run of the project. */
export async function driveAll(tutti: Tutti, engine: Engine, ended: (runId: string) => void): Promise<void> {
  const views = tutti.views();
  const driving = new Set<string>();
  let wake: () => void = () => undefined;
  using _ticking = tutti.clock.every(viewsEveryMs, () => {
    for (const runId of driving) views.update(runId);
  });
  using _changes = tutti.store.subscribe(() => {
    wake();
  });
  const skip = new Set<string>();
  for (;;) {
    for (const runId of await tutti.store.wakeable(null)) {
      if (driving.has(runId) || skip.has(runId) || tutti.queries.run(runId)?.parent !== null) continue;
      driving.add(runId);
      void engine.drive(runId, { stay: false }).then(
        (end) => {
          // Somebody else has it, or it cannot go on: do not spin on it.
          if (end.at === 'held' || end.at === 'unknown') skip.add(runId);
          views.update(runId);
          driving.delete(runId);
          ended(runId);
          wake();
        },
        () => {
          skip.add(runId);
          driving.delete(runId);
          wake();
        },
      );
    }
    if (driving.size === 0) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

function outcomeOf(runId: string, drive: Drive): Result<Outcome, Refusal> {
  switch (drive.at) {
    case 'ended':
      return ok(drive.end.outcome);
    case 'halted':
      return ok('HALTED');
    case 'parked':
      return ok('HUMAN_INPUT');
    case 'over':
      return ok(drive.run.state.at === 'ended' ? drive.run.state.outcome : 'HALTED');
    case 'fenced':
      return err(
        refusal('FAILURE', `another process took over run ${runId}`, `watch it: tutti status ${runId}`),
      );
    case 'held': {
      const message = `run ${runId} is already driven by process ${drive.by.pid} on ${drive.by.host}`;
      return err(refusal('FAILURE', message, `watch it: tutti events ${runId} --follow`));
    }
    case 'unknown':
      return err(refusal('USAGE', `there is no run ${runId}`, 'see which there are: tutti runs'));
  }
}
