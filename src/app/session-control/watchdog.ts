import { join } from 'node:path';
import { filterAsync } from '../../lib/async-list.ts';
import type { Session } from '../../model/session.ts';
import {
  graceMs,
  type WatchAction,
  type WatchEnding,
  type WatchWarning,
  watchSession,
  watchTotal,
} from '../../model/watchdog.ts';
import { announceEnding, readEnd } from '../../runtime/attempt-files.ts';
import { end as endAttempt } from '../../runtime/end-attempt.ts';
import { folderBytes } from '../../runtime/limits/folder-size.ts';
import { anySession, type LaunchedSession } from '../../model/ports/session-queries.ts';
import { markOf } from '../host/attempt-folder.ts';
import { advanceRun } from '../runs/advance-run.ts';
import { recordWishes } from '../runs/stop-run.ts';
import type { Tutti } from '../tutti.ts';
import { namesIn, repairArchive } from '../sessions/archive-repair.ts';
import { recordEnd } from '../sessions/record-ended.ts';
import { isHeld } from '../status/living-holder.ts';
import { factsOfLaunched, factsOfUnlaunched } from './watchdog-facts.ts';

/** Something that was done about a session, or about all of them. */
export interface WatchDeed {
  readonly session: string | null;
  readonly did: 'ended' | 'warned' | 'settled' | 'gave-up' | 'repaired' | 'failed';
  /** The end of a sentence that begins with the session's name. */
  readonly message: string;
}

export interface WatchReport {
  readonly at: number;
  /** How many were looked at. */
  readonly sessions: number;
  readonly deeds: readonly WatchDeed[];
  /** Null: not looked for this time. */
  readonly leftovers: Leftovers | null;
}

/** Folders and sessions that do not match. They are reported and never removed: a person may want to know why. */
interface Leftovers {
  /** Folders below `.tutti/sessions` that belong to no session. */
  readonly folders: readonly string[];
  /** Sessions that ran, and whose folder is gone. */
  readonly missing: readonly string[];
}

/** Folders are counted and compared seldom: there may be thousands. */
const thoroughEveryMs = 10 * 60_000;
const by = 'watchdog';

/** Sees that sessions keep to their limits and that the tables tell the truth. Costs no tokens. */
export class Watchdog {
  readonly #tutti: Tutti;
  #thoroughAt = Number.NEGATIVE_INFINITY;
  #lastLook: { readonly wall: number; readonly monotonic: number } | null = null;
  #sparedUntil = Number.NEGATIVE_INFINITY;

  constructor(tutti: Tutti) {
    this.#tutti = tutti;
  }

  async look(): Promise<WatchReport> {
    const { queries, clock, audit } = this.#tutti;
    this.#heedTheClock();
    await recordWishes(this.#tutti);
    const launched = await queries.sessions.launched();
    const unlaunched = await queries.sessions.unlaunched();
    const deeds: WatchDeed[] = [];
    for (const one of launched) {
      const actions = watchSession(await factsOfLaunched(this.#tutti, one));
      deeds.push(...(await this.#act(one.session, one, actions)));
    }
    for (const one of unlaunched) {
      const actions = watchSession(await factsOfUnlaunched(this.#tutti, one));
      deeds.push(...(await this.#act(one.session, null, actions)));
    }
    const leftovers = this.#isThorough() ? await this.#lookAround(deeds) : null;
    await audit.write();
    return { at: clock.wall(), sessions: launched.length + unlaunched.length, deeds, leftovers };
  }

  /** After a sleep of the machine or a change of its clock, launchers get their grace before anybody is called late. */
  #heedTheClock(): void {
    const { clock } = this.#tutti;
    const now = { wall: clock.wall(), monotonic: clock.monotonic() };
    const last = this.#lastLook ?? now;
    const jumped = now.wall - last.wall - (now.monotonic - last.monotonic) > graceMs / 2;
    if (jumped) this.#sparedUntil = now.monotonic + graceMs;
    this.#lastLook = now;
  }

  async #act(
    session: Session,
    launched: LaunchedSession | null,
    actions: readonly WatchAction[],
  ): Promise<readonly WatchDeed[]> {
    const deeds: WatchDeed[] = [];
    try {
      for (const action of actions) {
        const deed = await this.#do(session, launched, action);
        if (deed !== null) deeds.push({ session: session.id, ...deed });
      }
    } catch (error) {
      // One session that cannot be looked after is no reason to leave the others alone.
      const message = error instanceof Error ? error.message : String(error);
      deeds.push({ session: session.id, did: 'failed', message });
    }
    return deeds;
  }

  async #do(
    session: Session,
    launched: LaunchedSession | null,
    action: WatchAction,
  ): Promise<Omit<WatchDeed, 'session'> | null> {
    switch (action.do) {
      case 'warn': {
        const told = await this.#warn(session, action);
        return told ? { did: 'warned', message: action.message } : null;
      }
      case 'end':
        return launched === null ? null : this.#end(launched, action);
      case 'settle':
        return launched === null ? null : { did: 'settled', message: await this.#recordEnd(launched) };
      case 'give-up':
        await this.#tutti.store.cancel(session.runId, 'tutti');
        await advanceRun(this.#tutti, { runId: session.runId, stay: false });
        return { did: 'gave-up', message: action.reason };
    }
  }

  #warn(session: Session | null, action: WatchWarning): Promise<boolean> {
    const { about, message, since } = action;
    const event = { type: 'session.warned', session: session?.id ?? null, about, message } as const;
    return this.#tutti.store.noteOnce(session?.runId ?? null, event, since);
  }

  async #end(
    launched: LaunchedSession,
    { ending, reason }: WatchEnding,
  ): Promise<Omit<WatchDeed, 'session'> | null> {
    const { store, clock, paths } = this.#tutti;
    const { session } = launched;
    if (ending === 'timeout' && clock.monotonic() < this.#sparedUntil) return null;
    const dir = paths.session(session.id);
    if (readEnd(dir) !== null) return null;
    const event = { type: 'session.killed', session: session.id, reason, by } as const;
    await store.noteOnce(session.runId, event, session.createdAt);
    // The first reason stays, so the session has ended for this one whoever is asked.
    announceEnding(dir, ending, reason);
    const { left } = await endAttempt(dir, markOf(this.#tutti, session), reason);
    if (left.length > 0) {
      const pids = left.map(({ pid }) => pid).join(', ');
      return { did: 'failed', message: `${reason}; processes ${pids} could not be ended` };
    }
    // Whoever advances the run records the end.
    if (!(await isHeld(this.#tutti, session.runId))) await recordEnd(this.#tutti, launched);
    return { did: 'ended', message: reason };
  }

  async #recordEnd(launched: LaunchedSession): Promise<string> {
    await recordEnd(this.#tutti, launched);
    const now = await this.#tutti.queries.sessions.one(launched.session.id);
    return `its end was recorded: ${now?.status ?? 'unknown'}, outcome ${now?.outcome ?? 'none'}`;
  }

  #isThorough(): boolean {
    const now = this.#tutti.clock.monotonic();
    if (now - this.#thoroughAt < thoroughEveryMs) return false;
    this.#thoroughAt = now;
    return true;
  }

  async #lookAround(deeds: WatchDeed[]): Promise<Leftovers> {
    const { paths, config, clock } = this.#tutti;
    for (const session of await repairArchive(this.#tutti)) {
      deeds.push({ session, did: 'repaired', message: 'its way into the archive was finished' });
    }
    const bytes = await folderBytes(join(paths.state, 'sessions'));
    for (const action of watchTotal(bytes, config.totalDiskWarnBytes, clock.wall())) {
      if (!(await this.#warn(null, action))) continue;
      deeds.push({ session: null, did: 'warned', message: action.message });
    }
    return findLeftovers(this.#tutti);
  }
}

async function findLeftovers({ queries, paths }: Pick<Tutti, 'queries' | 'paths'>): Promise<Leftovers> {
  const all = { limit: null, before: null } as const;
  const here = new Set(namesIn(join(paths.state, 'sessions')));
  const sessions = await queries.sessions.list(anySession, all);
  const missing = sessions.filter(({ id, startedAt }) => startedAt !== null && !here.has(id));
  const known = new Set(sessions.map(({ id }) => id));
  const folders = await filterAsync(
    [...here],
    async (name) => !known.has(name) && (await queries.sessions.one(name)) === null,
  );
  return { folders: folders.toSorted(), missing: missing.map(({ id }) => id).toSorted() };
}
