import type { Decision } from '../../model/decision.ts';

/** Commands that start agents or commands, and so ask whether a repository is trusted. */
const launching = [
  'run',
  'build',
  'plan make',
  'plan verify',
  'execute',
  'resume',
  'session create',
  'session continue',
  'spawn',
  'executor',
  'orchestrator',
  'doctor',
] as const;

/**
 * Everything that only a person may decide: the closed list. Each decision has the words that finish the sentence
 * "only a person may …" and the commands that make it. `decide` is the one function that lets any of them pass.
 */
export const decisions = {
  answer: { may: 'answer a question', commands: ['answer', 'plan verify', 'session send'] },
  approve: {
    may: 'approve or refuse a plan',
    commands: ['plan approve', 'plan refuse', 'plan make --yes', 'build --yes'],
  },
  edit: {
    may: 'change a plan that Tutti is planning',
    commands: [
      'plan edit',
      'plan load-tasks',
      'plan validate',
      'plan validate-tasks',
      'plan advance',
      'plan init',
      'plan make',
      'plan verify',
      'execute',
      'build',
    ],
  },
  widen: {
    may: 'give a task files that it does not declare',
    commands: ['task widen', 'execute --undeclared', 'build --undeclared'],
  },
  waive: {
    may: 'leave out a verifier or a task, or have work discarded that is done or under way',
    commands: ['execute --no-verify', 'task skip', 'task retry'],
  },
  land: { may: 'bring work into the checkout', commands: ['land'] },
  raise: {
    may: 'raise a ceiling',
    commands: [
      ...ceilings('plan make'),
      ...ceilings('execute'),
      ...ceilings('build'),
      'run --run-id',
      ...['spawn', 'executor', 'orchestrator'].flatMap((layer) => [
        `${layer} --run-id`,
        `${layer} --max-depth`,
      ]),
    ],
  },
  trust: {
    may: 'say which repository is trusted',
    commands: ['trust', ...launching.map((command) => `${command} --trust`)],
  },
  resume: {
    may: 'continue what a person halted or stopped',
    commands: [
      'resume',
      'execute',
      'plan make',
      'plan verify',
      'build',
      'run --run-id',
      'spawn --run-id',
      'executor --run-id',
      'orchestrator --run-id',
    ],
  },
  allow: { may: 'delegate a decision', commands: ['allow'] },
} as const satisfies Readonly<Record<Decision, DecisionRow>>;

interface DecisionRow {
  readonly may: string;
  /** As they are typed; with a flag where the command decides only with it. */
  readonly commands: readonly string[];
}

function ceilings(command: string): readonly string[] {
  return ['--max-launches', '--max-tokens', '--max-cost'].map((flag) => `${command} ${flag}`);
}
