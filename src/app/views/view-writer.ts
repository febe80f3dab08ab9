import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appendText, makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { probe } from '../../lib/probe.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Workflow } from '../../kernel/ctx.ts';
import { type RunPlaces, runStatus } from '../status/run-status.ts';
import { liveReportLine } from './live-report.ts';
import { viewsOf } from './run-views.ts';

/**
 * Keeps a run's folder up to date for people and agents who read files. It only ever writes: nothing here is read back as
 * truth, everything can be made again (`tutti rebuild`), and a disk that cannot take a view does not stop the run.
 */
export class ViewWriter {
  readonly #places: RunPlaces;
  readonly #workflows: ReadonlyMap<string, Workflow>;
  readonly #redactor: Redactor;
  readonly #written = new Map<string, string>();
  readonly #reported = new Map<string, number>();

  constructor(places: RunPlaces & { readonly redactor: Redactor }, workflows: ReadonlyMap<string, Workflow>) {
    this.#places = places;
    this.#redactor = places.redactor;
    this.#workflows = workflows;
  }

  /** Writes what changed since this writer's last look. Returns the files it could not write; never throws. */
  update(runId: string): readonly string[] {
    const folder = this.#places.paths.run(runId);
    const failed: string[] = [];
    if (!attempt(() => failed.push(...this.#update(runId, folder)))) failed.push(folder);
    return failed;
  }

  #update(runId: string, folder: string): readonly string[] {
    const status = runStatus(this.#places, this.#workflows, runId);
    if (status === null) return [];
    const failed: string[] = [];
    const views = viewsOf(status, this.#places.queries.sessions.ofRun(runId));
    for (const [name, content] of views) {
      const path = join(folder, name);
      if (this.#written.get(path) === content) continue;
      if (attempt(() => this.#replace(path, content))) this.#written.set(path, content);
      else failed.push(path);
    }
    attempt(() => this.#forgetSignals(join(folder, '.signals'), views));
    if (!attempt(() => this.#report(runId, folder))) failed.push(join(folder, '.live-report'));
    return failed;
  }

  #replace(path: string, content: string): void {
    makePrivateFolder(dirname(path));
    replaceFile(path, this.#redactor.text(content));
    probe('view:replaced');
  }

  /** A step that runs again has not ended: whoever waits for its signal must not find the old one. */
  #forgetSignals(folder: string, views: ReadonlyMap<string, string>): void {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      if (views.has(`.signals/${name}`) || !/^exec-.*\.(done|fail|refine)$/.test(name)) continue;
      rmSync(join(folder, name));
      this.#written.delete(join(folder, name));
    }
  }

  /** Append-only while we watch; written again when we come to it for the first time. */
  #report(runId: string, folder: string): void {
    const after = this.#reported.get(runId);
    const events = this.#places.queries.events(runId, after ?? 0, -1);
    const lines = this.#redactor.text(events.map((event) => `${liveReportLine(event)}\n`).join(''));
    const path = join(folder, '.live-report');
    makePrivateFolder(folder);
    // Nothing to tell means that the feed was pruned: what was written when it was there is all there is.
    if (after === undefined && lines !== '') replaceFile(path, lines);
    else if (lines !== '') appendText(path, lines);
    this.#reported.set(runId, events.at(-1)?.seq ?? after ?? 0);
  }
}

function attempt(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}
