import { shellTroubles } from '../../lib/process/shell-syntax.ts';
import type { PlanFacts } from '../../model/plan/plan-facts.ts';
import type { ProjectType } from '../../model/plan/plan-record.ts';
import { quoteFinder } from '../../model/plan/spec-quotes.ts';
import { targetStanding } from './target-standing.ts';

export interface FactSources {
  readonly specText: string;
  /** Absolute. It need not exist yet. */
  readonly targetDir: string;
  readonly projectType: ProjectType;
  /** The project's own tests and linters. */
  readonly testCommands?: readonly string[];
  /** Files that work of this plan has already changed in the target. */
  readonly touched?: ReadonlySet<string>;
  readonly sequenced: boolean;
}

/** What the validators of a plan must know, as it is now: for one look, not to be kept. */
export function planFacts(sources: FactSources): PlanFacts {
  const { specText, targetDir, projectType, testCommands = [], touched, sequenced } = sources;
  return {
    specText,
    occurs: quoteFinder(specText),
    targetDir,
    projectType,
    testCommands,
    sequenced,
    standing: targetStanding(targetDir),
    touched: (path) => touched?.has(path) ?? false,
    badCommands: (commands) =>
      new Map(
        [...shellTroubles(commands)].map(([command, said]) => [command, `is no shell command: ${said}`]),
      ),
  };
}
