import { basename, dirname, join } from 'node:path';
import { realPathBelow } from '../../lib/path-below.ts';
import { readText } from '../../lib/read-text.ts';
import { err, type Result } from '../../lib/result.ts';
import type { PlanIssue } from '../../model/plan/plan-facts.ts';
import { located, maxProblems } from '../../model/schemas/json-document.ts';
import { issueSentence } from '../../model/schemas/issue.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';

/**
 * Text of a file in a plan's folder, which agents write. It must really be there: a link could lead to a secret that would
 * then be quoted in an error.
 */
export function readPlanFile(planDir: string, file: string, maxBytes: number): Result<string, Problem> {
  const folder = realPathBelow(planDir, dirname(file));
  if (!folder.ok)
    return err(problemOf(file, folder.error.includes('leads outside') ? outside(file) : 'does not exist'));
  const text = readText(join(folder.value, basename(file)), { maxBytes, links: 'refuse' });
  return text.ok ? text : err(problemOf(file, text.error.message));
}

export function outside(file: string): string {
  return `${dirname(file)} leads out of the plan's folder through a link`;
}

/** With the lines where they stand, as many as somebody can read. The files are read again: it is rarely needed. */
export function placedProblems(
  planDir: string,
  issues: readonly PlanIssue[],
  maxBytes: number,
): readonly Problem[] {
  const shown = issues.slice(0, maxProblems);
  const byFile = Map.groupBy(shown, ({ file }) => file);
  const problems = [...byFile].flatMap(([file, own]) => {
    const text = readPlanFile(planDir, file, maxBytes);
    return text.ok
      ? located(
          text.value,
          file,
          own.map((issue) => ({ ...issue, member: undefined })),
        )
      : own.map((issue) => problemOf(file, issueSentence(issue)));
  });
  return capped(problems, issues.length);
}

export function capped(problems: readonly Problem[], total: number = problems.length): readonly Problem[] {
  const shown = problems.slice(0, maxProblems);
  return total > shown.length
    ? [...shown, problemOf(null, `more is wrong: these are the first ${shown.length}`)]
    : shown;
}
