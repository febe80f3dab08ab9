import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appendText, makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { probe } from '../../lib/probe.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Workflow } from '../../kernel/ctx.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { sessionsOfRun } from '../sessions/sessions-now.ts';
import { type RunPlaces, runStatus } from '../status/run-status.ts';
import { liveReportLine } from './live-report.ts';
import { viewsOf } from './run-views.ts';
import { familyOf } from '../../model/family.ts';

interface ViewPlaces extends RunPlaces {
  readonly redactor: Redactor;
  readonly store: SqliteStore;
}

/**
 * Keeps a run's folder up to date for people and agents who read files. It only ever writes: nothing here is read back as
 * truth, everything can be made again (`tutti rebuild`), and a disk that cannot take a view does not stop the run.
 */
export class ViewWriter {
  readonly #places: ViewPlaces;
  readonly #workflows: ReadonlyMap<string, Workflow>;
  readonly #redactor: Redactor;
  readonly #written = new Map<string, string>();
  readonly #reported = new Map<string, number>();

  constructor(places: ViewPlaces, workflows: ReadonlyMap<string, Workflow>) {
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

  /**
   * The files of the plan that a run plans or executes: with the run's process, the tasks at which it was are left. Returns
   * those that could not be written; a run of anything else has none.
   */
  async updatePlan(runId: string): Promise<readonly string[]> {
    const run = this.#places.queries.run(runId);
    if (run === null || !familyOf(run).isOfPlan) return [];
    const { writePlanViews } = await import('../plans/plan-views.ts');
    return writePlanViews(this.#places, planOfRunId(runId));
  }

  #update(runId: string, folder: string): readonly string[] {
    const status = runStatus(this.#places, this.#workflows, runId);
    if (status === null) return [];
    const failed: string[] = [];
    const views = viewsOf(status, sessionsOfRun(this.#places, runId));
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
