import { readPlan } from '../../src/app/plan-files/load-plan.ts';
import type { FactSources } from '../../src/app/plans/plan-facts.ts';
import { problemSentence } from '../../src/model/schemas/problem.ts';
import { factsFor, writeGoodPlan } from './good-plan.ts';
import { Spoiler } from './spoil.ts';

/** One thing that is wrong with a plan of 8 tasks, and every sentence that is said of it. */
export interface Malformed {
  readonly name: string;
  readonly spoil: (plan: Spoiler) => void;
  readonly facts?: Partial<FactSources>;
  readonly said: readonly string[];
}

/** What is said of the good plan once it is spoilt; what this machine's shell says and its paths are left out. */
export function saidOf(
  folder: string,
  { spoil, facts }: Pick<Malformed, 'spoil' | 'facts'>,
): readonly string[] {
  const spoiler = new Spoiler(folder);
  const plan = writeGoodPlan(spoiler.planDir);
  spoil(spoiler);
  const read = readPlan(spoiler.planDir, factsFor(plan, spoiler.targetDir, facts));
  return read.ok
    ? []
    : read.error.map((problem) =>
        problemSentence(problem)
          .replaceAll(folder, '<here>')
          .replace(/(?<=is no shell command: ).+/, '…'),
      );
}
