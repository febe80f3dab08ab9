import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { recorded } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import { auditText } from '../../model/audit.ts';
import type { FeedEvent, AuditEvent } from '../../model/event.ts';
import type { Clock } from '../../model/ports/clock.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { ProjectStore } from '../../model/ports/project-store.ts';
import { locked, viewPatienceMs } from '../../workspace/lock.ts';
import { appendWeekly, byWeek, type DatedLine, forgetOld, logName, weeksKept } from './rotate.ts';

export interface AuditLogParts {
  readonly store: Pick<ProjectStore, 'takeAudit' | 'retakeAudit' | 'isInPlace'>;
  readonly queries: Pick<Queries, 'audit'>;
  /** The folder that holds it. */
  readonly logs: string;
  /** Held by the process that writes it. */
  readonly lock: string;
}

const atOnce = 1000;
const lookEveryMs = 1000;
const maxBytes = 256 * 1024 ** 2;

/**
 * `orchestrator.log`: a view of the events about sessions, written by every process that acts. One process at a time takes
 * events and then writes them, so that no line is there twice. A process that dies in between takes lines along: the events are
 * the truth, and `tutti rebuild` makes the log from them again.
 */
export class AuditLog {
  readonly #parts: AuditLogParts;
  #current: Promise<void> = Promise.resolve();
  /** Begins when the current one has ended; serves every request until then. */
  #next: Promise<void> | null = null;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
  }

  /** Resolves when everything told so far is written, or could not be: no command fails for a view. */
  write(): Promise<void> {
    this.#next ??= this.#current.then(() => {
      this.#current = this.#news().catch(() => undefined);
      this.#next = null;
      return this.#current;
    });
    return this.#next;
  }

  /** As long as somebody advances. */
  keep(clock: Clock): Disposable {
    return clock.every(lookEveryMs, () => void this.write());
  }

  /** All weeks again from the events. A file that holds more than the events still tell is left as it is. */
  async rebuild(): Promise<void> {
    await this.write();
    const { store, logs, lock } = this.#parts;
    const lines = (await store.retakeAudit()).map(lineOf).toSorted((a, b) => a.at - b.at);
    const weeks = byWeek(lines).slice(-1 - weeksKept);
    await locked(
      lock,
      async () => {
        if (weeks.length > 0) makePrivateFolder(logs);
        for (const [n, { week, text }] of weeks.entries()) {
          const path = join(logs, n === weeks.length - 1 ? logName : `${logName}.${week}`);
          if (lengthOf(path) <= text.length) replaceFile(path, text);
        }
        if (weeks.length > 0) forgetOld(logs);
      },
      { patienceMs: viewPatienceMs },
    );
  }

  async #news(): Promise<void> {
    const { store, queries, logs, lock } = this.#parts;
    while (await queries.audit.isBehind()) {
      // A project whose state was removed is given no new one.
      if (!(await store.isInPlace())) return;
      await locked(
        lock,
        async () => {
          const lines = (await store.takeAudit(atOnce)).map(lineOf);
          if (lines.length > 0) appendWeekly(logs, lines);
        },
        { patienceMs: viewPatienceMs },
      );
    }
  }
}

function lineOf({ at, event }: FeedEvent): DatedLine {
  return { at, text: auditText(at, recorded<AuditEvent>(event)) };
}

function lengthOf(path: string): number {
  const text = readText(path, { maxBytes, links: 'refuse' });
  return text.ok ? text.value.length : 0;
}
