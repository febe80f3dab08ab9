import type { FeedEvent } from '../../model/event.ts';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appendText, makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { probe } from '../../lib/probe.ts';
import type { Redactor } from '../../lib/redact.ts';
import { stepIdOf } from '../../model/key.ts';
import type { Outline } from '../../model/outline.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { ProjectStore } from '../../model/ports/project-store.ts';
import { sessionsOfRun } from '../sessions/sessions-now.ts';
import { type RunPlaces, runStatus } from '../status/run-status.ts';
import { viewsOf } from './run-views.ts';
import { familyOf } from '../../model/family.ts';

interface ViewPlaces extends RunPlaces {
  readonly redactor: Redactor;
  readonly store: ProjectStore;
}

/** Writes the files of a plan; resolves to those that could not be written. */
type WritePlanViews = (plan: string) => Promise<readonly string[]>;

/**
 * Keeps a run's folder up to date for people and agents who read files. It only ever writes: nothing here is read back as
 * truth, everything can be made again (`tutti rebuild`), and a disk that cannot take a view does not stop the run.
 */
export class ViewWriter {
  readonly #places: ViewPlaces;
  readonly #workflows: ReadonlyMap<string, Outline>;
  readonly #redactor: Redactor;
  readonly #writePlanViews: WritePlanViews;
  readonly #written = new Map<string, string>();
  readonly #reported = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(places: ViewPlaces, workflows: ReadonlyMap<string, Outline>, writePlanViews: WritePlanViews) {
    this.#places = places;
    this.#redactor = places.redactor;
    this.#workflows = workflows;
    this.#writePlanViews = writePlanViews;
  }

  /** Writes what changed since this writer's last look. Returns the files it could not write; never throws. */
  async update(runId: string): Promise<readonly string[]> {
    const folder = this.#places.paths.run(runId);
    // Two updates at a time would read in one order and write in the other.
    const update = this.#last.then(() => this.#update(runId, folder)).catch(() => [folder]);
    this.#last = update;
    return update;
  }

  /**
   * The files of the plan that a run plans or executes: with the run's process, the tasks at which it was are left. Returns
   * those that could not be written; a run of anything else has none.
   */
  async updatePlan(runId: string): Promise<readonly string[]> {
    const run = await this.#places.queries.run(runId);
    if (run === null || !familyOf(run).isOfPlan) return [];
    return this.#writePlanViews(planOfRunId(runId));
  }

  async #update(runId: string, folder: string): Promise<readonly string[]> {
    const status = await runStatus(this.#places, this.#workflows, runId);
    if (status === null) return [];
    const failed: string[] = [];
    const outline = this.#workflows.get(status.run.workflow);
    const views = viewsOf(status, await sessionsOfRun(this.#places, runId), outline);
    for (const [name, content] of views) {
      const path = join(folder, name);
      if (this.#written.get(path) === content) continue;
      if (attempt(() => this.#replace(path, content))) this.#written.set(path, content);
      else failed.push(path);
    }
    attempt(() => this.#forgetSignals(join(folder, '.signals'), views));
    const news = await this.#places.queries.events(runId, this.#reported.get(runId) ?? 0, -1);
    if (!attempt(() => this.#report(runId, folder, news))) failed.push(join(folder, '.live-report'));
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
      if (views.has(`.signals/${name}`) || !/^(?:exec|orch)-.*\.(?:done|fail|refine)$/.test(name)) continue;
      rmSync(join(folder, name));
      this.#written.delete(join(folder, name));
    }
  }

  /** Append-only while we watch; written again when we come to it for the first time. */
  #report(runId: string, folder: string, events: readonly FeedEvent[]): void {
    const after = this.#reported.get(runId);
    const lines = this.#redactor.text(events.map((event) => `${liveReportLine(event)}\n`).join(''));
    const path = join(folder, '.live-report');
    makePrivateFolder(folder);
    // Nothing to tell means that the feed was pruned: what was written when it was there is all there is.
    if (after === undefined && lines !== '') replaceFile(path, lines);
    else if (lines !== '') appendText(path, lines);
    this.#reported.set(runId, events.at(-1)?.seq ?? after ?? 0);
  }
}

/** One line of `.live-report`: JSON, for `tail -f`. */
function liveReportLine({ at, event }: FeedEvent): string {
  const timestamp = new Date(at).toISOString();
  const stage = 'key' in event ? stepIdOf(event.key) : 'run';
  const status = 'outcome' in event ? event.outcome : (event.type.split('.')[1] ?? event.type);
  const layer = 'kind' in event && event.kind === 'session' ? 'exec' : 'orch';
  const detail = 'message' in event && event.message !== null ? { detail: event.message } : {};
  return JSON.stringify({ timestamp, layer, stage, status, event: event.type, ...detail });
}

function attempt(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}
