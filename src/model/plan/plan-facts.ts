import type { SpecRef } from './capability-map.ts';
import type { ProjectType } from './plan-record.ts';

/** What stands at a path of the target directory. `outside`: a link on the way leads out of it. */
export type Standing = 'file' | 'folder' | 'absent' | 'outside';

/** What the validators must know of the world; they look at nothing themselves. */
export interface PlanFacts {
  readonly specText: string;
  /** Does a quote occur in it (`quoteFinder`)? */
  occurs(ref: SpecRef): boolean;
  /** Absolute. */
  readonly targetDir: string;
  readonly projectType: ProjectType;
  /** At a path relative to the target. */
  standing(path: string): Standing;
  /** Work of this plan has already changed the file: how it was before can no longer be seen. */
  touched(path: string): boolean;
  /** Commands that run the project's own tests and linters; empty where it has none. */
  readonly testCommands: readonly string[];
  /** Those that are no shell commands, with the reason. */
  badCommands(verifications: readonly string[]): ReadonlyMap<string, string>;
  /** The phases of the tasks are final: they have been sequenced. */
  readonly sequenced: boolean;
}

/** Something wrong in a document of a plan, before anybody knows in which line it is. */
export interface PlanIssue {
  /** Below the plan's folder. */
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export const capabilityMapFile = 'artifacts/capability-map.json';
export const physicalMapFile = 'artifacts/physical-map.json';

export function taskFile(id: string): string {
  return `tasks/${id}.json`;
}
