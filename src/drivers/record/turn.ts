import { isObject } from '../../lib/json.ts';
import type { AgentDriver, ProcessEnd, ReadTurn } from '../../model/driver.ts';
import { type CassetteTurn, isCassetteStop } from '../../model/schemas/cassette.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { StopReason } from '../../model/turn.ts';
import type { WorkspaceChanges } from '../../model/workspace-changes.ts';
import { stopReasonOf } from '../stop-reason.ts';
import { cassetteEvent } from './events.ts';
import { generalised, generalisedAll } from './variables.ts';

const maxEvents = 10_000;

/** A turn as the replay driver plays it back: the same events, files, result and end. */
export function recordedTurn(turn: ReadTurn, driver: Pick<AgentDriver, 'name' | 'tellsTools'>): CassetteTurn {
  const generalise = generalised(turn);
  const say = (text: string): string => generalise(turn.redact(text)).toWellFormed();
  const { spec, changes, events } = turn;
  const leftOut = [
    ...changes.leftOut,
    ...(events.length > maxEvents ? [`events: all after the first ${maxEvents}`] : []),
  ].map(say);
  return {
    recorded: {
      session: turn.place.sessionId,
      at: new Date(turn.at).toISOString(),
      driver: driver.name,
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    },
    match: {
      agent: spec.agent,
      step: turn.step,
      attempt: turn.attempt,
      turn: spec.turn,
      prompt: say(spec.prompt),
    },
    ...filesOf(changes, say),
    ...(driver.tellsTools ? {} : { tells_tools: false }),
    ...(events.length === 0
      ? {}
      : { events: events.slice(0, maxEvents).map((event) => cassetteEvent(event, say)) }),
    ...(turn.result === null ? {} : { result: resultOf(turn.result, say) }),
    ...endOf(turn.end, turn.stop),
  };
}

function filesOf(changes: WorkspaceChanges, say: (text: string) => string): Partial<CassetteTurn> {
  const files: Record<string, string> = {};
  const bytes: Record<string, string> = {};
  for (const { path, content } of changes.written) {
    const text = textOf(content);
    if (text === null) bytes[say(path)] = Buffer.from(content).toString('base64');
    else files[say(path)] = say(text);
  }
  const executable = changes.written.filter((file) => file.executable).map(({ path }) => say(path));
  return {
    ...(changes.deleted.length === 0 ? {} : { delete: changes.deleted.map(say) }),
    ...(Object.keys(files).length === 0 ? {} : { files }),
    ...(Object.keys(bytes).length === 0 ? {} : { bytes }),
    ...(executable.length === 0 ? {} : { executable }),
  };
}

/** Null for what is no text. */
function textOf(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

/** As a mapping where it is one: that reads better, and means the same. */
function resultOf(text: string, say: (text: string) => string): unknown {
  const json = parseJson(text);
  return json.ok && isObject(json.value) ? generalisedAll(json.value, say) : say(text);
}

/** What was ended from outside ends itself in the same way, and says why: nobody will be there to end it. */
function endOf(end: ProcessEnd, told: StopReason): Partial<CassetteTurn> {
  // Whether the result is what it should be is judged again.
  const stop = told === 'no-result' ? 'finished' : told;
  if (stop === 'finished') return {};
  const how =
    end.exitCode === null
      ? { signal: end.signal ?? 'SIGKILL' }
      : end.exitCode === 0
        ? {}
        : { exit: end.exitCode };
  const alone = stopReasonOf({ ...end, ended: null });
  return isCassetteStop(stop) && stop !== alone ? { stop, ...how } : how;
}
