import type { Entry } from '../../model/entry.ts';
import { nextAttempt } from '../../model/entry.ts';
import { isObject, textMember } from '../../lib/json.ts';
import type { EmittedEvent } from '../../model/event.ts';
import { childRunId } from '../../model/key.ts';
import { messageOf } from '../../model/message.ts';
import type { Fence, OpenEntry, PutEntry } from '../../model/ports/store.ts';
import { encodeWhole } from '../codec.ts';
import { backToRunning, insertRun } from './lifecycle.ts';
import { noteQuestion } from './questions.ts';
import {
  addEmitted,
  addEvent,
  assertKey,
  assertOwn,
  findEntry,
  findRun,
  nextOrdinal,
  type Tx,
  wholeBodyOf,
} from './tables.ts';
import { outcomeOfState } from '../../model/entry.ts';

/** Records a result or a failed try of the holder's own. Only its last try counts as work: a night may lie between two. */
export function put(tx: Tx, fence: Fence, entry: PutEntry, emitted: readonly EmittedEvent[]): void {
  assertOwn(tx, fence);
  const { key, kind, attempt, state } = entry;
  assertKey(key);
  const outcome = outcomeOfState(state);
  const endedAt = state.at === 'retrying' ? null : tx.now;
  tx.db.run(
    `insert into entries(run, key, kind, attempt, state, outcome, body, change, priority, opened_at, ended_at, ordinal)
     values(?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ${nextOrdinal})
     on conflict(run, key) do update set attempt = excluded.attempt, state = excluded.state,
       outcome = excluded.outcome, body = excluded.body, opened_at = excluded.opened_at,
       ended_at = excluded.ended_at`,
    fence.runId,
    key,
    kind,
    attempt,
    state.at,
    outcome,
    wholeBodyOf(tx, state),
    tx.now,
    endedAt,
    fence.runId,
  );
  if (state.at === 'retrying') {
    addEvent(tx, fence.runId, { type: 'step.retrying', key, attempt, message: state.failure.message });
  } else if (kind === 'step') {
    const message = messageOf(state);
    addEvent(tx, fence.runId, {
      type: 'step.ended',
      key,
      kind,
      attempt,
      state: state.at,
      outcome: outcome ?? 'SUCCESS',
      message,
    });
  }
  addEmitted(tx, fence.runId, emitted);
}

/** Records that the holder waits for something outside; a later attempt replaces one that left no result. */
export function open(tx: Tx, fence: Fence, entry: OpenEntry, emitted: readonly EmittedEvent[]): Entry {
  assertOwn(tx, fence);
  const { runId } = fence;
  const { key, kind, spec, priority, dueAt = null } = entry;
  assertKey(key);
  const existing = findEntry(tx, runId, key);
  const attempt = nextAttempt(existing);
  addEmitted(tx, runId, emitted);
  if (attempt === null && existing !== undefined) return existing;
  const losses = existing?.state.at === 'lost' ? existing.losses : 0;
  tx.db.run(
    `insert or replace into entries(run, key, kind, attempt, state, spec, losses, change, priority, due, opened_at,
       ordinal)
     values(?, ?, ?, ?, 'open', ?, ?, 0, ?, ?, ?, ${nextOrdinal})`,
    runId,
    key,
    kind,
    attempt ?? 1,
    encodeWhole(tx.db, spec),
    losses,
    priority,
    dueAt,
    tx.now,
    runId,
  );
  if (kind !== 'sleep') addEvent(tx, runId, { type: 'step.opened', key, kind, attempt: attempt ?? 1 });
  if (kind === 'ask') noteQuestion(tx, runId, key, spec);
  if (kind === 'child') startChild(tx, runId, key, spec);
  return {
    key,
    kind,
    attempt: attempt ?? 1,
    state: { at: 'open' },
    losses,
    spec,
    sessionId: null,
    change: 0,
    priority,
    dueAt,
    openedAt: tx.now,
    endedAt: null,
  };
}

function startChild(tx: Tx, parentId: string, key: string, spec: OpenEntry['spec']): void {
  const parent = findRun(tx, parentId);
  if (parent === null || !isObject(spec)) return;
  const id = childRunId(parentId, key);
  const child = findRun(tx, id);
  if (child === null) {
    insertRun(tx, {
      id,
      workflow: textMember(spec, 'workflow'),
      input: spec['input'] ?? null,
      concurrency: parent.concurrency,
      depth: parent.depth,
      traceId: parent.traceId,
      rootId: parent.rootId,
      parent: { runId: parentId, key },
    });
  } else if (child.parent?.runId !== parentId || child.parent.key !== key) {
    throw new Error(`the child '${key}' of run ${parentId} would get the id ${id}, which another run has`);
  } else if (child.state.at !== 'running' || child.cancelled) {
    // Opened again after a stop or a reopening: the child goes on where it was, and whoever still ends it is fenced.
    backToRunning(tx, child);
  }
}
