import { isObject, recorded } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Entry } from '../../model/entry.ts';
import { rootStepOf, stepIdOf } from '../../model/key.ts';
import { messageOf } from '../../model/message.ts';
import type { TurnOutcome } from '../../model/turn.ts';

/** Something that happened to a part of a step on its way, and that its end alone does not tell. */
export interface Incident {
  readonly step: string;
  readonly text: string;
}

/** Retries, limits, denials, losses, continuations and why turns were healed, in the order of the work. */
export function findIncidents(entries: readonly Entry[]): readonly Incident[] {
  const inOrder = entries.toSorted((a, b) => a.openedAt - b.openedAt);
  return inOrder.flatMap((entry, index) => {
    if (entry.kind !== 'session') return [];
    const texts = [...healReason(entry, inOrder.slice(0, index)), ...lossText(entry), ...turnTexts(entry)];
    return texts.map((text) => ({ step: stepIdOf(entry.key), text }));
  });
}

/** The last failure of the same step before the healing turn is what the turn heals. */
function healReason({ key }: Entry, earlier: readonly Entry[]): readonly string[] {
  if (!/\/heal-\d+$/.test(stepIdOf(key))) return [];
  const failed = earlier.findLast(
    (entry) => rootStepOf(entry.key) === rootStepOf(key) && messageOf(entry.state) !== null,
  );
  const why = failed === undefined ? null : messageOf(failed.state);
  return why === null ? [] : [`tried again because: ${oneLine(why, 300)}`];
}

function lossText({ losses }: Entry): readonly string[] {
  return losses === 0 ? [] : [`lost ${times(losses)}: its process vanished without a result`];
}

function turnTexts({ state }: Entry): readonly string[] {
  if (state.at !== 'done' || !isObject(state.value)) return [];
  const { recovered, retries = 0, deniedTools = [], stop, resetAt } = recorded<TurnOutcome>(state.value);
  return [
    ...(recovered === undefined ? [] : [recoveryText(recovered)]),
    ...(retries === 0 ? [] : [`its CLI asked the model again ${times(retries)} by itself`]),
    ...(stop === 'limit' ? [`usage limit${until(resetAt)}`] : []),
    ...(deniedTools.length === 0 ? [] : [`not permitted: ${deniedTools.join(', ')}`]),
  ];
}

function recoveryText({ session, inFlight }: NonNullable<TurnOutcome['recovered']>): string {
  const began = `continued after a crash from session ${session}`;
  if (inFlight.length === 0) return began;
  const calls = inFlight.length === 1 ? '1 tool call' : `${inFlight.length} tool calls`;
  return `${began}; ${calls} may have run: ${oneLine(inFlight.join(', '), 300)}`;
}

function until(resetAt: number | null): string {
  return resetAt === null ? '' : ` until ${new Date(resetAt).toISOString()}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
