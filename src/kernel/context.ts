import { type Json, plain, recorded } from '../lib/json.ts';
import type { Budget } from '../model/budget.ts';
import { failure, type Failure } from '../model/failure.ts';
import { attemptId } from '../model/key.ts';
import type { OperationArgs, OperationName, OperationResult } from '../model/operations.ts';
import type { PutEntry, RunEnd } from '../model/ports/store.ts';
import type { Answer, Question } from '../model/question.ts';
import type { SessionSpec, TurnOutcome } from '../model/turn.ts';
import { Cancelled, StepFailed, type Ctx, type OperationOptions, type StepPolicy } from './ctx.ts';
import type { Replaying, Scope } from './replaying.ts';
import { raceIn } from './race.ts';

/** Operations and turns carry their priority in the entry; everything else does not compete for slots. */
export function contextOf(replaying: Replaying, scope: Scope): Ctx {
  const ctx: Ctx = {
    runId: replaying.runId,
    signal: scope.abort.signal,
    step: (key, fn, policy = {}) => localStep(replaying, scope, key, fn, policy),
    async operation<Name extends OperationName>(
      key: string,
      name: Name,
      args: OperationArgs<Name>,
      options: OperationOptions,
    ) {
      const { workspace, priority = 0, timeoutMs = null, goesOn = false } = options;
      const state = await replaying.external(scope, {
        key,
        kind: 'task',
        priority,
        spec: () => plain({ name, args, workspace, timeoutMs, ...(goesOn ? { goesOn } : {}) }),
      });
      return recorded<OperationResult<Name>>(state.value);
    },
    async session(key, spec: SessionSpec) {
      const { priority } = spec;
      const state = await replaying.external(scope, {
        key,
        kind: 'session',
        priority,
        spec: () => plain(spec),
      });
      return recorded<TurnOutcome>(state.value);
    },
    async turnsBeside(key) {
      const keys = replaying.keysBeside(key);
      return keys.length === 0 ? [] : replaying.busy(() => replaying.store.turns(replaying.runId, keys));
    },
    async ask(key, question: Question) {
      const state = await replaying.external(scope, {
        key,
        kind: 'ask',
        priority: 0,
        spec: () => plain(question),
      });
      return recorded<Answer>(state.value);
    },
    answers: (step) => replaying.answers(step),
    async sleep(key, ms) {
      const dueAt = replaying.clock.wall() + ms;
      await replaying.external(scope, { key, kind: 'sleep', priority: 0, spec: () => ({ ms }), dueAt });
    },
    now: (key) => ctx.step(key, () => replaying.clock.wall()),
    async budget(key) {
      const found = await ctx.step(key, async () =>
        plain(await replaying.busy(() => replaying.store.budget(replaying.runId))),
      );
      return recorded<Budget>(found);
    },
    async child(key, workflow, input) {
      const spec = () => ({ workflow, input });
      const state = await replaying.external(scope, { key, kind: 'child', priority: 0, spec });
      return recorded<RunEnd>(state.value);
    },
    async all(parts) {
      const settled = await Promise.allSettled(parts.map((part) => part(ctx)));
      return settled.map(valueOf);
    },
    race: (key, parts) => raceIn(replaying, scope, key, parts),
    emit(key, name, data) {
      replaying.emit({ key, name, data });
    },
  };
  return ctx;
}

function valueOf<T>(part: PromiseSettledResult<T>): T {
  if (part.status === 'rejected') throw asError(part.reason);
  return part.value;
}

async function localStep<T extends Json>(
  replaying: Replaying,
  scope: Scope,
  key: string,
  fn: Parameters<Ctx['step']>[1],
  policy: StepPolicy<T>,
): Promise<T> {
  const found = replaying.take(scope, key, 'step');
  if (found?.state.at === 'done') return recorded<T>(found.state.value);
  if (found?.state.at === 'failed') throw new StepFailed(key, found.state.failure);
  const { signal } = scope.abort;
  const { retries = 0, backoffMs = 100, always = false } = policy;
  // A person who lets it run again grants all its retries again.
  const granted = found?.state.at === 'reopened' ? found.attempt : 0;
  return replaying.busy(async () => {
    for (let attempt = (found?.attempt ?? 0) + 1; ; attempt += 1) {
      if (signal.aborted && !always) throw new Cancelled();
      if (replaying.abandoned) await new Promise<never>(() => undefined);
      const put = (state: PutEntry['state']) =>
        replaying.store.put(replaying.fence, { key, kind: 'step', attempt, state }, replaying.takeEmitted());
      const id = attemptId({ runId: replaying.runId, key, attempt });
      const tried = await attemptOnce(() => fn({ id, number: attempt, signal }));
      if (tried.ok) {
        const value = recorded<T>(tried.value);
        await put({ at: 'done', outcome: policy.outcome?.(value) ?? 'SUCCESS', value });
        return value;
      }
      if (signal.aborted && !always) throw new Cancelled();
      if (attempt - granted > retries) {
        await put({ at: 'failed', failure: tried.failure });
        throw new StepFailed(key, tried.failure);
      }
      await put({ at: 'retrying', failure: tried.failure });
      await pause(replaying, backoffMs * 2 ** (attempt - granted - 1), signal);
    }
  });
}

type Tried = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly failure: Failure };

async function attemptOnce(fn: () => unknown): Promise<Tried> {
  try {
    return { ok: true, value: plain(await fn()) };
  } catch (error) {
    if (error instanceof StepFailed) return { ok: false, failure: error.failure };
    return { ok: false, failure: failure('error', asError(error).message) };
  }
}

function pause(replaying: Replaying, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = replaying.clock.timer(replaying.clock.wall() + ms, resolve);
    signal.addEventListener(
      'abort',
      () => {
        timer[Symbol.dispose]();
        resolve();
      },
      { once: true },
    );
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
