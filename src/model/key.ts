import { digest } from '../lib/digest.ts';
import type { Json } from '../lib/json.ts';

/**
 * An entry key is `<step id>@<digest of what the step depends on>`. The id says which step of the plan it is; the
 * digest makes a changed input a different key, so that old results can never be taken for new ones.
 */
export function keyOf(id: string, inputs: Json): string {
  return `${id}@${digest(inputs)}`;
}

/** What a key may take in any store: some index texts, and none of those accepts more than a few thousand bytes or a NUL. */
const maxKeyBytes = 1024;

/** Why a text cannot be a key; null: it can. */
export function faultOfKey(key: string): string | null {
  if (key.includes('\0')) return `key ${shown(key)} contains a NUL character`;
  // No character takes more than three bytes of UTF-8 for each unit of its length.
  if (key.length * 3 <= maxKeyBytes) return null;
  const bytes = new TextEncoder().encode(key).length;
  return bytes > maxKeyBytes
    ? `key ${shown(key)} has ${bytes} bytes, and a key has at most ${maxKeyBytes}`
    : null;
}

function shown(key: string): string {
  const start = key.length > 40 ? `${key.slice(0, 40)}…` : key;
  return `'${start.replaceAll('\0', '\\u0000')}'`;
}

/** `build/heal-1@0f…` → `build/heal-1`. */
export function stepIdOf(key: string): string {
  const at = key.lastIndexOf('@');
  return at < 0 ? key : key.slice(0, at);
}

/** `build/heal-1@0f…` → `build`: the step of the plan that a part belongs to. */
export function rootStepOf(key: string): string {
  const id = stepIdOf(key);
  const slash = id.indexOf('/');
  return slash < 0 ? id : id.slice(0, slash);
}

/** Whether it repeats a try of its step that failed: `build/heal-1` of an agent, `build/retry-1` of a command. */
export function isRepair(key: string): boolean {
  return /\/(?:heal|retry)-\d+$/.test(stepIdOf(key));
}

/** Whether it is a turn of a task's verifier: `T001/verify`, or one that repeats it. */
export function isVerifierTurn(key: string): boolean {
  return /\/verify(?:-[a-z\d-]+)?$/.test(stepIdOf(key));
}

/** Whether it is something that an agent asked, not Tutti: `build/question-2`, or `build/question-2-1` of several. */
export function isAgentQuestion(key: string): boolean {
  return /\/question-\d+(?:-\d+)?$/.test(stepIdOf(key));
}

/** Fences late results, and marks every process of the attempt. */
export interface AttemptRef {
  readonly runId: string;
  readonly key: string;
  readonly attempt: number;
}

export function attemptId(ref: AttemptRef): string {
  return `${ref.runId}#${ref.key}#${ref.attempt}`;
}

/** A child run's id is a function of its parent and key, so that starting it twice is starting it once. */
export function childRunId(parent: string, key: string): string {
  return `${parent}.${digest(key).slice(0, 8)}`;
}
