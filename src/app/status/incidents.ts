import { limitKindOf, limitPauseMs, limitText, pausesAfter } from '../../model/limit-pause.ts';
import { counted } from '../../lib/counted.ts';
import { isObject, recorded } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Entry } from '../../model/entry.ts';
import type { FeedEvent } from '../../model/event.ts';
import { isRepair, rootStepOf, stepIdOf } from '../../model/key.ts';
import type { RestoredFiles } from '../../model/plan/execute-parts.ts';
import { describeForeignChange, describeVerifierChange } from '../../model/plan/foreign-change.ts';
import { messageOf } from '../../model/message.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import type { Queries } from '../../model/ports/queries.ts';
import { type Incident, waivedInRun } from './waived.ts';

export type { Incident } from './waived.ts';

/**
 * Of parts in the order of their creation: retries, limits, denials, losses, continuations, late results, changes by other processes and why turns were healed,
 * in the order of the work.
 * `late` are the sessions that wrote a result after their turn had ended, `putAside` those of which files were moved away,
 * `overwritten` those that wrote over a file of the plan which was changed while they worked.
 */
export function findIncidents(
  entries: readonly Entry[],
  late: readonly string[] = [],
  putAside: readonly string[] = [],
  overwritten: readonly string[] = [],
): readonly Incident[] {
  return entries.flatMap((entry, index) => {
    const turn =
      entry.kind === 'session'
        ? [
            ...lossText(entry),
            ...turnTexts(entry),
            ...lateText(entry, late),
            ...putAsideText(entry, putAside),
            ...overwrittenText(entry, overwritten),
          ]
        : [];
    const texts = [...repairReason(entry, entries, index), ...turn, ...undoneChange(entry)];
    return texts.map((text) => ({ step: stepIdOf(entry.key), text }));
  });
}

/** An event with what happened in the turn that it ends; other events have no incidents. */
export interface ToldEvent {
  readonly feed: FeedEvent;
  readonly incidents: readonly Incident[];
  /** What of a step that is done now a person chose to continue without, in words; absent: nothing. */
  readonly waived?: readonly string[];
}

type IncidentQueries = Pick<Queries, 'entry' | 'entries'>;

export async function withIncidents(queries: IncidentQueries, feed: FeedEvent): Promise<ToldEvent> {
  const waived = await waivedAt(queries, feed);
  return { feed, incidents: await incidentsAt(queries, feed), ...(waived.length === 0 ? {} : { waived }) };
}

/** Of the verdict on a step. */
async function waivedAt(queries: IncidentQueries, { runId, event }: FeedEvent): Promise<readonly string[]> {
  if (event.type !== 'step.ended' || !stepIdOf(event.key).endsWith('/verdict')) return [];
  const waived = waivedInRun(await queries.entries(runId));
  return waived.filter(({ step }) => step === rootStepOf(event.key)).map(({ text }) => text);
}

async function incidentsAt(
  queries: Pick<Queries, 'entry'>,
  { runId, event }: FeedEvent,
): Promise<readonly Incident[]> {
  if (event.type !== 'step.ended' || (event.kind !== 'session' && event.kind !== 'task')) return [];
  const entry = await queries.entry(runId, event.key);
  if (entry === null) return [];
  const texts = event.kind === 'session' ? turnTexts(entry) : undoneChange(entry);
  return texts.map((text) => ({ step: stepIdOf(event.key), text }));
}

/** The last failure of the same step before another try is what that try repairs. */
function repairReason({ key }: Entry, inOrder: readonly Entry[], index: number): readonly string[] {
  if (!isRepair(key)) return [];
  const failed = inOrder
    .slice(0, index)
    .findLast((entry) => rootStepOf(entry.key) === rootStepOf(key) && messageOf(entry.state) !== null);
  const why = failed === undefined ? null : messageOf(failed.state);
  return why === null ? [] : [`tried again because: ${oneLine(why, 300)}`];
}

function lossText({ losses }: Entry): readonly string[] {
  return losses === 0 ? [] : [`lost ${times(losses)}: its process vanished without a result`];
}

function lateText({ sessionId }: Entry, late: readonly string[]): readonly string[] {
  if (sessionId === null || !late.includes(sessionId)) return [];
  return [
    `session ${sessionId} wrote a result after its turn had ended; it does not count: late-result.json`,
  ];
}

function putAsideText({ sessionId }: Entry, moved: readonly string[]): readonly string[] {
  if (sessionId === null || !moved.includes(sessionId)) return [];
  return [
    `session ${sessionId} made files that can start programs outside its sandbox; they were moved away: tutti session logs ${sessionId} --session-log`,
  ];
}

function overwrittenText({ sessionId }: Entry, sessions: readonly string[]): readonly string[] {
  if (sessionId === null || !sessions.includes(sessionId)) return [];
  return [
    `files of the plan had another text while session ${sessionId} worked; it is kept: tutti session logs ${sessionId} --session-log`,
  ];
}

/** What another process changed in a task's workspace before its verifier began, or the verifier itself. */
function undoneChange({ kind, key, state }: Pick<Entry, 'kind' | 'key' | 'state'>): readonly string[] {
  const part = /\/(restore(?:-before)?)(?:-again-\d+)?$/.exec(stepIdOf(key))?.[1];
  if (kind !== 'task' || part === undefined || state.at !== 'done' || !isObject(state.value)) return [];
  const { restored, before } = recorded<RestoredFiles>(state.value);
  if (part === 'restore') return restored.length === 0 ? [] : [describeVerifierChange(restored)];
  return before === undefined ? [] : [describeForeignChange(restored, before.ref)];
}

function turnTexts({ key, state, endedAt }: Entry): readonly string[] {
  if (state.at !== 'done' || !isObject(state.value)) return [];
  const turn = recorded<TurnOutcome>(state.value);
  const { recovered, retries = 0, deniedTools = [], deniedUses = deniedTools, stop } = turn;
  return [
    ...(recovered === undefined ? [] : [recoveryText(recovered)]),
    ...(retries === 0 ? [] : [`its CLI asked the model again ${times(retries)} by itself`]),
    ...(stop === 'limit' ? [limitOfTurn(turn, endedAt, pausesAfter(stepIdOf(key)))] : []),
    ...(deniedUses.length === 0 ? [] : [`not permitted: ${deniedUses.join(', ')}`]),
  ];
}

function recoveryText({ session, inFlight }: NonNullable<TurnOutcome['recovered']>): string {
  const began = `continues session ${session}, whose process vanished`;
  if (inFlight.length === 0) return began;
  const calls = counted(inFlight.length, 'tool call');
  return `${began}; ${calls} may have run: ${oneLine(inFlight.join(', '), 300)}`;
}

/** With the time at which the pause that follows it is over. */
function limitOfTurn({ resetAt, limitKind }: TurnOutcome, endedAt: number | null, pauses: number): string {
  const dueAt = endedAt === null ? null : endedAt + limitPauseMs(resetAt, endedAt, pauses);
  return limitText({ resetAt, ...limitKindOf(limitKind) }, dueAt, endedAt);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
