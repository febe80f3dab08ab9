import { limitText } from '../../model/limit-pause.ts';
import type { DescribedStep } from '../../model/session-logs.ts';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { findModel } from '../../drivers/cli-facts.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { modelOf } from '../../model/price-lookup.ts';
import type { Session } from '../../model/session.ts';
import type { HostParts } from '../host/host-parts.ts';
import { logReaderOf } from '../host/reader.ts';

/** How much of the end of a log is looked at: enough for the last action, however long the log is. */
const tailBytes = 32 * 1024;
const maxAction = 80;

type Watched = Pick<HostParts, 'queries' | 'config' | 'paths' | 'env' | 'redactor'>;

/** Tells what running sessions do, for people who watch: a log that did not grow is not read again. */
export class SessionDoings {
  readonly #tutti: Watched;
  readonly #models = new Map<string, string>();
  readonly #seen = new Map<string, { readonly size: number; readonly action: string }>();

  constructor(tutti: Watched) {
    this.#tutti = tutti;
  }

  /** `coder · sonnet · Edit src/x.ts`: agent, model and last action, as far as they are known. */
  async describe(sessionId: string): Promise<string> {
    const session = await this.#tutti.queries.sessions.one(sessionId);
    if (session === null) return '';
    const parts = [
      session.agent,
      session.model ?? (await this.#launchedModel(session)),
      await this.#lastAction(sessionId),
    ];
    return parts.filter((part) => part !== '').join(' · ');
  }

  /** What the sessions of these steps do that are under way, looked up once. */
  async ofSteps(steps: readonly DescribedStep[]): Promise<(sessionId: string) => string> {
    const ids = steps.flatMap(({ parts }) =>
      parts.flatMap(({ state, sessionId }) =>
        state === 'launched' && sessionId !== null ? [sessionId] : [],
      ),
    );
    const found = new Map<string, string>();
    for (const id of ids) found.set(id, await this.describe(id));
    return (id) => found.get(id) ?? '';
  }

  /** That of its agent's file, or of its tier; empty where the CLI chooses. */
  async #launchedModel(session: Session): Promise<string> {
    const { queries, config } = this.#tutti;
    const known = this.#models.get(session.id);
    if (known !== undefined) return known;
    const spec = await queries.spec(session.runId, session.key);
    const model =
      (spec === null ? modelOf(config, session.driver, session.tier) : findModel(config, spec)) ?? '';
    this.#models.set(session.id, model);
    return model;
  }

  async #lastAction(sessionId: string): Promise<string> {
    const tail = readTail(join(this.#tutti.paths.session(sessionId), 'output.log'));
    const before = this.#seen.get(sessionId);
    if (tail === null || before?.size === tail.size) return before?.action ?? '';
    const session = await this.#tutti.queries.sessions.one(sessionId);
    const reader = session === null ? null : logReaderOf(this.#tutti, session);
    const last = lastActionOf(tail.lines.flatMap((line) => reader?.line(line) ?? [])) ?? before?.action ?? '';
    const action = oneLine(this.#tutti.redactor.text(last), maxAction);
    this.#seen.set(sessionId, { size: tail.size, action });
    return action;
  }
}

/** A denial may name the tool alone: what it was to be used for stands in the call before it. */
function lastActionOf(events: readonly DriverEvent[]): string | undefined {
  const targets = new Map<string, string>();
  const actions = events.map((event) => {
    if (event.type === 'tool') targets.set(event.name, event.target);
    return actionOf(event, targets);
  });
  return actions.findLast((action) => action !== '');
}

function actionOf(event: DriverEvent, targets: ReadonlyMap<string, string>): string {
  switch (event.type) {
    case 'tool':
      return `${event.name} ${event.target}`.trim();
    case 'tool-failed':
      return `failed: ${event.name} ${event.target}`.trim();
    case 'text':
      return event.text.trim().split('\n').at(-1) ?? '';
    case 'waiting':
      return `waits: ${event.why}`;
    case 'retrying':
      return `retrying: ${event.reason}`;
    case 'denied':
      return `not permitted: ${event.tool} ${event.target ?? targets.get(event.tool) ?? event.reason}`.trim();
    case 'blocked':
      return `blocked by a hook: ${event.tool} ${event.reason}`.trim();
    case 'limit':
      return limitText(event, null, null);
    case 'sign-in':
      return `not signed in: ${event.reason}`;
    case 'files':
    case 'usage':
    case 'conversation':
    case 'answered':
    case 'problem':
      return '';
  }
}

/** The last whole lines of a log; null where there is none. An agent may have put anything in its place. */
function readTail(path: string): { readonly size: number; readonly lines: readonly string[] } | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return null;
    const from = Math.max(0, stat.size - tailBytes);
    const buffer = Buffer.alloc(stat.size - from);
    const read = readSync(descriptor, buffer, 0, buffer.length, from);
    const lines = buffer.subarray(0, read).toString('utf8').split('\n');
    return { size: stat.size, lines: from === 0 ? lines : lines.slice(1) };
  } finally {
    closeSync(descriptor);
  }
}
