import { plain } from '../../../src/lib/json.ts';
import { failure } from '../../../src/model/failure.ts';
import type { BadOutcome, Outcome } from '../../../src/model/outcome.ts';
import type { Fence } from '../../../src/model/ports/store.ts';
import { recordEnd } from '../../../src/runtime/attempt-files.ts';
import { newSession } from '../../conformance/world.ts';
import { plainSpec } from '../../rig/session-spec.ts';
import type { MatrixProject } from './project.ts';

/** What can be done to a run, each by a transition of the store or a file of a launcher. */
export class RunStage {
  readonly project: MatrixProject;
  readonly fence: Fence;
  sessionId: string | null = null;
  readonly #turn = { key: 'work@1', attempt: 1 };

  constructor(project: MatrixProject, fence: Fence) {
    this.project = project;
    this.fence = fence;
  }

  get #store() {
    return this.project.tutti.store;
  }

  async openTurn(): Promise<void> {
    const entry = {
      key: this.#turn.key,
      kind: 'session',
      spec: plain({ ...plainSpec }),
      priority: 0,
    } as const;
    await this.#store.open(this.fence, entry);
  }

  async admitTurn(): Promise<void> {
    await this.openTurn();
    const session = { ...newSession, driver: 'mine', baseId: `s-${this.fence.runId}` };
    const ask = { tokens: 0, costUsd: 0 };
    const { launched } = await this.#store.admit(this.fence, [{ ...this.#turn, ask, session }]);
    this.sessionId = launched[0]?.sessionId ?? null;
    if (this.sessionId === null) throw new Error(`${this.fence.runId}: no slot`);
  }

  async startTurn(): Promise<void> {
    await this.admitTurn();
    await this.project.launch(this.#session(), 'alive');
    await this.#store.begin({ runId: this.fence.runId, ...this.#turn });
  }

  async vanishTurn(): Promise<void> {
    await this.admitTurn();
    await this.project.launch(this.#session(), 'dead');
    await this.#store.begin({ runId: this.fence.runId, ...this.#turn });
  }

  async exitTurn(exitCode: number): Promise<void> {
    await this.vanishTurn();
    const end = { exitCode, signal: null, ended: null, problem: null, reason: null };
    recordEnd(this.project.tutti.paths.session(this.#session()), end);
  }

  async recordTurn(): Promise<void> {
    await this.exitTurn(0);
    await this.#complete({ at: 'done', outcome: 'SUCCESS', value: plain({ stop: 'finished' }) }, 'COMPLETED');
  }

  async recordLoss(): Promise<void> {
    await this.vanishTurn();
    await this.#complete({ at: 'lost' }, 'FAILED');
  }

  async #complete(
    completion: Parameters<MatrixProject['tutti']['store']['complete']>[1],
    status: 'COMPLETED' | 'FAILED',
  ): Promise<void> {
    const outcome = status === 'COMPLETED' ? 'SUCCESS' : 'FAILURE';
    const usage = { inputTokens: 5, outputTokens: 2, costUsd: null };
    const exitCode = status === 'COMPLETED' ? 0 : null;
    await this.#store.complete({ runId: this.fence.runId, ...this.#turn }, completion, {
      status,
      exitCode,
      outcome,
      usage,
    });
  }

  async recordCommand(): Promise<void> {
    const value = { exitCode: 0, lastLine: '', outputDigest: '' };
    await this.#task('tool@1', plain(value), { argv: ['true'], gated: true });
  }

  async passGate(step: 'work' | 'tool', number: number): Promise<void> {
    await this.#task(
      `${step}/gate-${number}@1`,
      plain({ gate: 'file', passed: true, finding: 'there', evidence: null }),
    );
  }

  async #task(key: string, value: ReturnType<typeof plain>, args: object = {}): Promise<void> {
    const spec = plain({ name: 'command', args, workspace: this.project.path });
    await this.#store.open(this.fence, { key, kind: 'task', spec, priority: 0 });
    const ask = { tokens: 0, costUsd: 0 };
    await this.#store.admit(this.fence, [{ key, attempt: 1, ask, session: null }]);
    const done = { at: 'done', outcome: 'SUCCESS', value } as const;
    await this.#store.complete({ runId: this.fence.runId, key, attempt: 1 }, done, null);
  }

  async judge(outcome: Outcome, step: 'work' | 'tool' = 'work'): Promise<void> {
    const state = { at: 'done', outcome, value: null } as const;
    await this.#store.put(this.fence, { key: `${step}/verdict@1`, kind: 'step', attempt: 1, state });
  }

  async ask(): Promise<void> {
    const spec = plain({ text: 'May it continue?', options: ['yes', 'no'] });
    await this.#store.open(this.fence, { key: 'work/gate-1@1', kind: 'ask', spec, priority: 0 });
  }

  async askInTurn(): Promise<void> {
    await this.#store.askInSession(this.#session(), 1, { text: 'May it write?' });
  }

  async sleep(): Promise<void> {
    const dueAt = this.project.tutti.clock.wall() + 3_600_000;
    await this.#store.open(this.fence, {
      key: 'work/limit-1@1',
      kind: 'sleep',
      spec: null,
      priority: 0,
      dueAt,
    });
  }

  async halt(): Promise<void> {
    await this.#store.halt(this.fence.runId, 'lunch');
  }

  async finish(outcome: Outcome): Promise<void> {
    const isBad = (each: Outcome): each is BadOutcome => each !== 'SUCCESS';
    const why = isBad(outcome) ? failure('needs', 'it did not work', { outcome }) : null;
    const ends = {
      steps: [
        isBad(outcome)
          ? { at: 'failed', id: 'work', failure: why }
          : { at: 'succeeded', id: 'work', summary: '', digest: '' },
        // Nothing says of one of the ends why the other step did not run.
        ...(outcome === 'TIMEOUT' ? [] : [{ at: 'skipped', id: 'tool', because: 'work' }]),
      ],
      optional: [],
    };
    const value = outcome === 'INTERRUPTED' ? null : plain(ends);
    await this.#store.finish(this.fence, { outcome, value, failure: why });
  }

  #session(): string {
    if (this.sessionId === null) throw new Error('no turn was launched');
    return this.sessionId;
  }
}
