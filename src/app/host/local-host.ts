import { isMachineTrouble, orTrouble } from '../../lib/machine-trouble.ts';
import { failure } from '../../model/failure.ts';
import { type Completion, endedByItself } from '../../model/entry.ts';
import { attemptId } from '../../model/key.ts';
import { type AttemptEnd, type Host, isCutOffWithRun, type LaunchedAttempt } from '../../model/ports/host.ts';
import { endRecordedAt, lastHeardAt, readEnding } from '../../runtime/attempt-files.ts';
import { end as endAttempt } from '../../runtime/end-attempt.ts';
import type { HostParts, KeptStops } from './host-parts.ts';
import { folderOf, markOf } from './attempt-folder.ts';
import { runSession } from './run-session.ts';
import { type LoadPlanOperations, runOperation } from './operations.ts';
import { TimeCeilingReached } from './wall-ceiling.ts';

/**
 * Runs attempts on this machine. What goes wrong with an attempt is its end. What is wrong with the machine is nobody's
 * end: it stops the process that advances, and the attempt is taken up again by the next process.
 */
export class LocalHost implements Host {
  readonly #parts: HostParts;
  readonly #loadPlanOperations: LoadPlanOperations;
  /** What runs in this process itself is ended by being told so. */
  readonly #inside = new Map<string, AbortController>();
  /** When this process cut attempts off with their run. */
  readonly #cutOff = new Map<string, number>();

  constructor(
    parts: Omit<HostParts, 'runOf' | 'cutOffAt'>,
    stops: KeptStops,
    loadPlanOperations: LoadPlanOperations,
  ) {
    const known = new Map<string, Awaited<ReturnType<HostParts['runOf']>>>();
    // Asked for with every launch, and always the same.
    const runOf: HostParts['runOf'] = async (id) => {
      const run = known.get(id) ?? (await parts.queries.run(id));
      known.set(id, run);
      return run;
    };
    const cutOffAt: HostParts['cutOffAt'] = async (attempt) => {
      const { runId } = attempt;
      const rootId = (await runOf(runId))?.rootId ?? runId;
      // What lives on the budget of another run is stopped with it.
      return this.#cutOff.get(attemptId(attempt)) ?? stops.stoppedSince(runId) ?? stops.stoppedSince(rootId);
    };
    this.#parts = { ...parts, runOf, cutOffAt };
    this.#loadPlanOperations = loadPlanOperations;
  }

  launch(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd> {
    return this.#run(attempt, 'launch', began);
  }

  adopt(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd> {
    return this.#run(attempt, 'adopt', began);
  }

  end(attempt: LaunchedAttempt, reason: string): Promise<void> {
    const id = attemptId(attempt);
    if (isCutOffWithRun(reason) && !this.#cutOff.has(id)) this.#cutOff.set(id, Date.now());
    this.#inside.get(id)?.abort();
    // Whoever follows the attempt sees its end; a failure to end it shows there as an attempt that goes on.
    return endAttempt(folderOf(this.#parts, attempt), markOf(this.#parts, attempt), reason).then(
      () => undefined,
      () => undefined,
    );
  }

  async #run(attempt: LaunchedAttempt, how: 'launch' | 'adopt', began: () => void): Promise<AttemptEnd> {
    try {
      return this.#withoutStopped(attempt, await this.#follow(attempt, how, began));
    } catch (error) {
      if (isMachineTrouble(error)) throw orTrouble(error, folderOf(this.#parts, attempt));
      if (error instanceof TimeCeilingReached)
        return { completion: { at: 'failed', failure: error.failure }, session: null };
      const message = error instanceof Error ? error.message : String(error);
      return { completion: { at: 'failed', failure: failure('error', message) }, session: null };
    }
  }

  async #follow(attempt: LaunchedAttempt, how: 'launch' | 'adopt', began: () => void): Promise<AttemptEnd> {
    if (attempt.kind === 'session') return runSession(this.#parts, attempt, how, began);
    const completion = await this.#operation(attempt, how);
    // The end of its command, which may have been long ago; what ran in this process ends now.
    const place = folderOf(this.#parts, attempt);
    const endedAt = endRecordedAt(place) ?? (completion.at === 'lost' ? lastHeardAt(place) : null);
    return { completion, session: null, ...(endedAt === null ? {} : { endedAt }) };
  }

  /** Work that was cut off with its run has no result: the run may be resumed, and then it gets its next attempt. */
  #withoutStopped(attempt: LaunchedAttempt, end: AttemptEnd): AttemptEnd {
    if (end.completion.at === 'lost' || endedByItself(end.completion)) return end;
    const { reason } = readEnding(folderOf(this.#parts, attempt));
    return isCutOffWithRun(reason) ? { ...end, completion: { at: 'dropped' } } : end;
  }

  async #operation(attempt: LaunchedAttempt, how: 'launch' | 'adopt'): Promise<Completion> {
    const id = attemptId(attempt);
    const inside = new AbortController();
    this.#inside.set(id, inside);
    try {
      const call = { parts: this.#parts, attempt, how, signal: inside.signal };
      return await runOperation(call, this.#loadPlanOperations);
    } finally {
      this.#inside.delete(id);
    }
  }
}
