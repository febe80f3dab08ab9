import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { digestText } from '../../lib/digest.ts';
import { slug } from '../../lib/ids.ts';
import { isObject, recorded } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { Entry } from '../../model/entry.ts';
import { stepIdOf } from '../../model/key.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import { parseJson } from '../../model/schemas/json-text.ts';
import type { Session } from '../../model/session.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { endAttempt } from '../../runtime/follow.ts';
import { noteSession } from '../../runtime/session-log.ts';
import type { ProjectPaths } from '../project.ts';
import type { HostParts } from './host-parts.ts';
import { markOf } from './attempt-folder.ts';

const file = 'result.json';
const maxBytes = 1024 * 1024;

/** Parts of a step that continue its conversation: `T001/heal-1`, `T001/rebase-1/answer-2`, `session/retry-1`. */
const laterTurn = /(?:\/(?:heal|answer|resume|rebase|retry)-\d+)+$/;

/** Of the step whose turns share a path. */
export function conversationOf(key: string): string {
  return stepIdOf(key).replace(laterTurn, '');
}

/**
 * Where all turns of one step write their result, so that a model that remembers a path remembers the right one. The
 * directory of a session that a person asked for is its contract: there the path is in the directory of the first session.
 */
export function resultPath(
  { paths }: Pick<HostParts, 'paths'>,
  { runId, key }: Pick<LaunchedAttempt, 'runId' | 'key'>,
): string {
  const id = conversationOf(key);
  const own = paths.session(runId);
  if (id === 'session' && existsSync(own)) return join(own, file);
  return join(paths.run(runId), 'results', `${slug(id)}-${digestText(id).slice(0, 8)}`, file);
}

/**
 * Makes the path free for the turn that starts now. Processes that earlier turns of the step left behind are ended, so that
 * none of them can write into it, and what they wrote after their turn had ended is kept with their session and never counts.
 */
export async function freeResultPath(
  parts: HostParts,
  attempt: LaunchedAttempt,
  path: string,
): Promise<void> {
  makePrivateFolder(dirname(path));
  const earlier = (await parts.queries.sessions.ofRun(attempt.runId)).filter(
    ({ id, key }) => id !== attempt.sessionId && conversationOf(key) === conversationOf(attempt.key),
  );
  for (const session of earlier) await endAttempt(markOf(parts, session), null, null);
  const last = earlier.toSorted((a, b) => a.createdAt - b.createdAt).at(-1);
  if (last !== undefined && existsSync(path)) await setAside(parts, earlier, last, path);
}

/** The result of a session that a person asked for is put back by `takeResult`; what was not read at the end of its turn is late. */
async function setAside(
  parts: HostParts,
  earlier: readonly Session[],
  last: Session,
  path: string,
): Promise<void> {
  const owner = earlier.find(({ id }) => parts.paths.session(id) === dirname(path));
  const read = owner === undefined ? null : resultRead(await parts.queries.entries(last.runId), owner);
  const isLate = read !== undefined && digestFile(path) !== read;
  if (isLate) await setAsideLate(parts, { session: last, path, read });
  if (existsSync(path)) renameSync(path, keptPath(path));
}

/** A file at the path of a result, written after Tutti had read the turn that could have written it. */
export interface LateResult {
  /** The last session of the step. */
  readonly session: Session;
  readonly path: string;
  /** What was read at the end of the turn that the path belongs to; null: nothing, or another folder holds it. */
  readonly read: string | null;
}

export async function setAsideLate(
  { paths, store }: { readonly paths: ProjectPaths; readonly store: Pick<HostParts['store'], 'noteOnce'> },
  { session, path, read }: LateResult,
): Promise<void> {
  const dir = paths.session(session.id);
  renameSync(path, join(dir, 'late-result.json'));
  const kept = join(dirname(path), copy);
  if (read !== null && existsSync(kept) && digestFile(kept) === read) copyFileSync(kept, path);
  const message = 'A result was written after the turn had ended. It does not count: late-result.json';
  noteSession(dir, ['WARN', message]);
  const event = { type: 'session.warned', session: session.id, about: 'late-result', message } as const;
  await store.noteOnce(session.runId, event, 0);
}

/** What Tutti read as the result of a turn; undefined: it has not read the turn, or an earlier release has. */
export function resultRead(
  entries: readonly Entry[],
  { key, attempt }: Pick<Session, 'key' | 'attempt'>,
): string | null | undefined {
  const entry = entries.find((each) => each.key === key && each.attempt === attempt);
  if (entry?.state.at !== 'done' || !isObject(entry.state.value)) return undefined;
  return recorded<TurnOutcome>(entry.state.value).resultDigest;
}

/** Empty for what cannot be read, such as a link or a device: it is not what was read. */
export function digestFile(path: string): string {
  const text = readText(path, { maxBytes, links: 'refuse' });
  return text.ok ? digestText(text.value) : '';
}

/** Copy of the result that was read, beside the file that any process of the session can write. */
const copy = 'accepted-result.json';

/**
 * Keeps the result that was read at the end of a turn where a process that the turn left does not write. Its digest is recorded
 * with the turn; null: there is none.
 */
export function keepRead(dir: string): string | null {
  const path = join(dir, file);
  if (!existsSync(path)) return null;
  const text = readText(path, { maxBytes, links: 'refuse' });
  if (!text.ok) return '';
  try {
    replaceFile(join(dir, copy), text.value);
  } catch {
    // What cannot be copied, as on a full disk, counts anyway: only what a late result replaces cannot be put back.
  }
  return digestText(text.value);
}

function keptPath(path: string): string {
  return join(dirname(path), 'first-result.json');
}

/**
 * Puts the result of a turn that has ended into its session's folder, which is where it is read. Where the CLI itself handed
 * over prose instead of a JSON object, that is kept as its last message, and a file that the agent wrote counts; without one
 * the result is missing. A file beside a result that the CLI handed over is kept and does not count. Doing it again changes
 * nothing.
 */
export function takeResult(dir: string, path: string): void {
  const own = join(dir, file);
  if (path === own) return;
  if (existsSync(own) && !isJsonObject(own)) renameSync(own, join(dir, 'last-message.txt'));
  if (existsSync(path) && !existsSync(own)) renameSync(path, own);
  // In the folder of another session it is the result of that one.
  const isSession = dirname(dirname(path)) === dirname(dir);
  if (existsSync(path) && !isSession) renameSync(path, join(dir, 'unused-result.json'));
  if (existsSync(keptPath(path)) && !existsSync(path)) renameSync(keptPath(path), path);
}

function isJsonObject(path: string): boolean {
  const text = readText(path, { maxBytes, links: 'refuse' });
  const json = text.ok ? parseJson(text.value) : null;
  return json?.ok === true && isObject(json.value);
}
