import { type LintRuleId, lintRules, type LintSeverity } from '../../model/compose/lint-rules.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';

/** A broken rule with the file and the line to fix. */
export interface Finding extends Problem {
  readonly rule: LintRuleId;
  readonly severity: LintSeverity;
}

export function findingAt(rule: LintRuleId, problem: Problem): Finding {
  return { ...problem, rule, severity: lintRules[rule].severity };
}

/** A finding about a file as a whole. */
export function fileFinding(rule: LintRuleId, file: string, message: string): Finding {
  return findingAt(rule, problemOf(file, message));
}
