import type { DriverEvent, DriverReader, ProcessEnd } from '../../src/model/driver.ts';
import { permissionAnswers, type PermissionRequest } from '../../src/model/permission.ts';
import type { StopReason } from '../../src/model/turn.ts';
import { Random } from '../simulation/random.ts';
import { cpuMs } from '../rig/cpu-time.ts';
import { mutated } from './mutations.ts';
import { ended, type Subject } from './subjects/subject.ts';

/** What a reader of logs must never do, whatever stands in them. */
interface Found {
  readonly what: 'crash' | 'slow' | 'false success' | 'no event' | 'unlike itself';
  readonly lines: readonly string[];
  readonly more: string;
}

export interface Fuzzed {
  readonly logs: number;
  /** How many were a success all the same: a fuzz that destroys everything shows nothing. */
  readonly finished: number;
  readonly found: readonly Found[];
}

interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
  /** One line may take this long, on a machine that does something else too. */
  /** Processor time for one line. */
  readonly slowMs?: number;
}

const enough = 5;

const ends: readonly ProcessEnd[] = [
  ended,
  { ...ended, exitCode: 1 },
  { ...ended, exitCode: 127 },
  { exitCode: null, signal: 'SIGTERM', ended: null },
  { ...ended, ended: 'timeout' },
];

/** Reads many spoiled logs of a driver with one of its readers, and stops when enough was found. */
export function fuzz(
  subject: Pick<Subject, 'good' | 'cases' | 'limits' | 'mayFinish'>,
  newReader: () => DriverReader,
  { seed, count, slowMs = 1000 }: FuzzOptions,
): Fuzzed {
  const random = new Random(seed);
  const logs = [subject.good, ...[...subject.cases, ...subject.limits].map(({ lines }) => lines)];
  const found: Found[] = [];
  let finished = 0;
  for (let at = 0; at < count && found.length < enough; at += 1) {
    // The good one as often as all others together: that is where success can be destroyed.
    const log = random.chance(0.5) ? subject.good : (random.pick(logs) ?? []);
    const lines = mutated(log, logs, random);
    const end = random.chance(0.6) ? ended : (random.pick(ends) ?? ended);
    const outcome = readOnce(newReader, lines, end, { slowMs, twice: at % 16 === 0 });
    if (typeof outcome !== 'string') {
      found.push({ ...outcome, lines });
      continue;
    }
    if (outcome !== 'finished') continue;
    finished += 1;
    const may = end.exitCode === 0 && end.ended === null && subject.mayFinish(lines);
    if (!may) found.push({ what: 'false success', lines, more: JSON.stringify(end) });
  }
  return { logs: count, finished, found };
}

/** How it stopped, or what is wrong. */
function readOnce(
  newReader: () => DriverReader,
  lines: readonly string[],
  end: ProcessEnd,
  { slowMs, twice }: { readonly slowMs: number; readonly twice: boolean },
): string | Omit<Found, 'lines'> {
  try {
    const events: DriverEvent[] = [];
    const reader = newReader();
    for (const line of lines) {
      let told: readonly DriverEvent[] = [];
      const tookMs = cpuMs(() => {
        told = reader.line(line);
      });
      if (tookMs > slowMs) return { what: 'slow', more: line.slice(0, 200) };
      const strange = told.find((event) => !isEvent(event));
      if (strange !== undefined) return { what: 'no event', more: JSON.stringify(strange) };
      events.push(...told);
    }
    const stop = reader.stop(end);
    return twice && !isSame(newReader(), lines, events, end, stop)
      ? { what: 'unlike itself', more: stop }
      : stop;
  } catch (error) {
    return { what: 'crash', more: String(error) };
  }
}

function isSame(
  reader: DriverReader,
  lines: readonly string[],
  events: readonly DriverEvent[],
  end: ProcessEnd,
  stop: StopReason,
): boolean {
  const again = lines.flatMap((line) => [...reader.line(line)]);
  return JSON.stringify(again) === JSON.stringify(events) && reader.stop(end) === stop;
}

/** Every member is what the vocabulary says: what is recorded is never looked at again. */
function isEvent(event: DriverEvent): boolean {
  switch (event.type) {
    case 'text':
      return isText(event.text);
    case 'tool':
      return isText(event.name) && isText(event.target);
    case 'tool-failed':
      return [event.name, event.target, event.reason].every(isText);
    case 'files':
      return event.paths.every(isText);
    case 'usage':
      return Object.entries(event.usage).every(([name, amount]) => name === 'pricedAsOf' || isAmount(amount));
    case 'conversation':
      return isText(event.id);
    case 'waiting':
      return isText(event.why) && (event.request === undefined || isRequest(event.request));
    case 'answered':
      return isCount(event.request) && permissionAnswers.includes(event.answer);
    case 'limit':
      return isAmount(event.resetAt) && [undefined, 'overload'].includes(event.kind);
    case 'retrying':
    case 'sign-in':
      return isText(event.reason);
    case 'denied':
      return isText(event.tool) && isText(event.reason) && [undefined, true].includes(event.call);
    case 'blocked':
      return isText(event.tool) && isText(event.reason);
    case 'problem':
      return isText(event.message);
    default:
      return false;
  }
}

function isRequest({ number, tool, target, input, options }: PermissionRequest): boolean {
  return (
    isCount(number) &&
    [tool, target, input].every(isText) &&
    options.every((option) => permissionAnswers.includes(option))
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isAmount(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}
