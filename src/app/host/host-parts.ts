import type { Redactor } from '../../lib/redact.ts';
import type { Config } from '../../model/config.ts';
import type { AttemptRef } from '../../model/key.ts';
import type { Clock } from '../../model/ports/clock.ts';
import type { Run } from '../../model/run.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { ProjectStore } from '../../model/ports/project-store.ts';
import type { ProjectPaths } from '../project.ts';
import type { ProjectTrust } from '../trust/project-trust.ts';

/** What running something on this machine needs to know. */
export interface HostParts {
  readonly paths: ProjectPaths;
  readonly config: Config;
  /** The operator's environment; children see what the allow-list lets through. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What of the project counts. */
  readonly trust: ProjectTrust;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly queries: Queries;
  /** For what a session at work asks people, and for plans; a run's own entries are recorded by the process that advances it. */
  readonly store: ProjectStore;
  /** What never changes about a run. */
  runOf(id: string): Promise<Pick<Run, 'depth' | 'traceId' | 'workflow' | 'rootId'> | null>;
  /** When the attempt was cut off with its run, as this process and the kept stops know; null: it was not. */
  cutOffAt(attempt: AttemptRef): Promise<number | null>;
}

/** Stops that are kept outside the database. */
export interface KeptStops {
  /** When a stop of the run was kept; null: there is none. */
  stoppedSince(runId: string): number | null;
}
