/** An error keeps a definition from running; advice does not. */
export type LintSeverity = 'error' | 'advice';

interface LintRule {
  readonly severity: LintSeverity;
  /** What the rule reports, for people. */
  readonly reports: string;
}

/** Every rule by its id. Ids are part of the output and never change their meaning. */
export const lintRules = {
  form: { severity: 'error', reports: 'a member that is missing, unknown, or has the wrong form' },
  unreadable: {
    severity: 'error',
    reports: 'a file that is too large, is not UTF-8 text, or leads out of the project',
  },
  'file-name': {
    severity: 'error',
    reports: 'a file or folder below `compose/` whose name no layer uses',
  },
  'two-files': { severity: 'error', reports: 'two files that define the same name in the same layer' },
  'empty-system-prompt': { severity: 'error', reports: 'a system prompt without text' },
  'duplicate-name': {
    severity: 'error',
    reports: 'two actions, stages, phases or checks with the same name',
  },
  cycle: { severity: 'error', reports: 'stages or phases that wait for each other' },
  'unknown-stage': {
    severity: 'error',
    reports: '`needs`, `inputs` or a modifier that names a stage which does not exist',
  },
  'unknown-phase': {
    severity: 'error',
    reports: '`needs` or an approval that names a phase which does not exist',
  },
  'unknown-executor': { severity: 'error', reports: 'a stage or a sentinel with an unknown executor' },
  'unknown-orchestrator': { severity: 'error', reports: 'a phase with an unknown orchestrator' },
  'unknown-coordinator': { severity: 'error', reports: 'a phase with an unknown coordinator' },
  'unknown-action': {
    severity: 'error',
    reports: 'a stage whose first argument is not an action of its executor',
  },
  'unknown-modifier': {
    severity: 'error',
    reports: 'a phase with a modifier that its orchestrator does not have',
  },
  'late-input': { severity: 'error', reports: '`inputs` from a stage that may not have finished yet' },
  'not-compressible': {
    severity: 'error',
    reports: '`on_depth: compress` where this or a later stage is not compressible',
  },
  'one-stage': {
    severity: 'error',
    reports: 'an orchestrator with a single stage, which is only an executor call',
  },
  'wraps-spawn': {
    severity: 'error',
    reports: 'a system prompt of layers 2 to 4 that starts sessions itself',
  },
  'skipped-layer': {
    severity: 'error',
    reports: 'a layer that calls another one than the layer directly below it',
  },
  'executor-delegates': { severity: 'error', reports: 'an executor that calls another layer' },
  'role-in-prompt': {
    severity: 'error',
    reports: 'arguments that define a role, which belongs in the system prompt',
  },
  'path-in-system-prompt': {
    severity: 'error',
    reports: 'a system prompt with a specific file path, which belongs in the arguments',
  },
  'stage-logic-in-prompt': {
    severity: 'error',
    reports: 'arguments that tell an orchestrator in which order to run its stages',
  },
  'author-audits': { severity: 'error', reports: 'a sentinel whose auditor also does the work' },
  depth: { severity: 'advice', reports: 'a stack that needs more depth than `max_depth` allows' },
  'one-phase': {
    severity: 'advice',
    reports: 'a coordinator with a single phase, which is only an orchestrator call',
  },
  'no-role': { severity: 'advice', reports: 'a system prompt that does not say who the agent is' },
  'no-call-below': {
    severity: 'advice',
    reports: 'a system prompt of layers 2 to 4 that never names the command of the layer below',
  },
} as const satisfies Readonly<Record<string, LintRule>>;

export type LintRuleId = keyof typeof lintRules;

/** Where a definition breaks a rule. */
type LintPlace =
  | { readonly at: 'member'; readonly path: readonly (string | number)[] }
  /** A line of the system prompt, from 1. */
  | { readonly at: 'prompt'; readonly line: number };

/** A broken rule, before its file and line are known. */
export interface LintIssue {
  readonly rule: LintRuleId;
  readonly place: LintPlace;
  readonly message: string;
}

export function memberIssue(
  rule: LintRuleId,
  path: readonly (string | number)[],
  message: string,
): LintIssue {
  return { rule, place: { at: 'member', path }, message };
}

export function promptIssue(rule: LintRuleId, line: number, message: string): LintIssue {
  return { rule, place: { at: 'prompt', line }, message };
}
