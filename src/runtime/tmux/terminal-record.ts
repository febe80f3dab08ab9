import { join } from 'node:path';
import { appendText, replaceFile } from '../../lib/atomic-file.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Activity } from '../../model/activity.ts';
import { activityAfter, type HookEvent } from '../../model/hook.ts';
import { readJson } from '../read-json.ts';
import { noteSession } from '../session-log.ts';

const maxBytes = 1024 * 1024;

/**
 * What people see of an interactive session: its hook events in `output.log`, and what it does in `state.json`. The
 * screen is not recorded: it would be the same lines drawn again and again, and its text proves nothing.
 */
export class TerminalRecord {
  readonly #dir: string;
  readonly #logFile: string;
  readonly #told = new Set<string>();
  #blocks = 0;

  constructor(dir: string, logFile: string) {
    this.#dir = dir;
    this.#logFile = logFile;
  }

  heard(hook: HookEvent): void {
    if (hook.event === 'blocked' && hook.id !== '') {
      // The end of a turn may be told twice.
      if (this.#told.has(hook.id)) return;
      this.#told.add(hook.id);
    }
    const line = JSON.stringify({ at: new Date().toISOString(), ...hook });
    unlessImpossible(() => {
      appendText(this.#logFile, `${line}\n`);
    });
    if (hook.event === 'blocked') {
      this.#blocks += 1;
      noteSession(this.#dir, ['WARN', oneLine(`Hook block: ${hook.tool}: ${hook.reason}`)]);
      this.tellBlocks();
    }
    const activity = activityAfter(hook);
    if (activity !== null) this.show(activity);
  }

  show(activity: Activity): void {
    const detail = activity.at === 'waiting' ? oneLine(activity.for) : null;
    this.#tell({ activity: activity.at.replace('-', '_'), activity_detail: detail });
  }

  /** Also after the last state, which is made again and does not know them. */
  tellBlocks(): void {
    if (this.#blocks > 0) this.#tell({ hook_blocks: this.#blocks });
  }

  /** The terminal relay is the only writer of `state.json`, so reading and replacing it loses nothing. */
  #tell(now: JsonObject): void {
    const path = join(this.#dir, 'state.json');
    const state = readJson(path, maxBytes);
    if (!isObject(state)) return;
    unlessImpossible(() => {
      replaceFile(path, `${JSON.stringify({ ...state, ...now })}\n`);
    });
  }
}

/** Views: nobody's work ends because they could not be written. */
function unlessImpossible(write: () => void): void {
  try {
    write();
  } catch {
    // The next write meets the same disk, and the end is recorded elsewhere.
  }
}
