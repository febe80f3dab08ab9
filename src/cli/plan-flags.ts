import { undeclaredPolicies } from '../model/plan/execute-input.ts';
import type { Context } from './context.ts';
import { jsonFlag, switchFlag } from './define-command.ts';
import { amount, oneOf, wholeNumber } from './parsers.ts';

/** On every command about a plan. */
export const planFlags = {
  plan: {
    kind: 'parsed',
    parse: String,
    brief: 'Name or directory of the plan; default: TUTTI_PLAN_DIR, or the newest plan',
    placeholder: 'PLAN',
    optional: true,
    proposeCompletions: proposePlans,
  },
  json: jsonFlag,
} as const;

export const taskArgument = {
  parse: String,
  brief: 'A task, such as T001',
  placeholder: 'ID',
  proposeCompletions: proposeTasks,
} as const;

/** Several values after one flag, or one flag for each: both are understood (`separated` in arguments-line.ts). */
export function listFlag(brief: string, placeholder: string) {
  return { kind: 'parsed', parse: String, brief, placeholder, variadic: true, optional: true } as const;
}

async function proposePlans(this: Context, partial: string): Promise<readonly string[]> {
  const { planNames } = await import('./completions/ids.ts');
  return planNames(this, partial);
}

async function proposeTasks(this: Context, partial: string): Promise<readonly string[]> {
  const { taskIds } = await import('./completions/ids.ts');
  return taskIds(this, partial);
}

export const specArgument = {
  parse: String,
  brief: "Specification: a file, or - for standard input; default: the plan's own",
  placeholder: 'SPEC',
  optional: true,
} as const;

/** What the code is written into, and with. */
export const targetFlags = {
  new: switchFlag('The target is a new project'),
  existing: switchFlag('The target is an existing project'),
  stack: {
    kind: 'parsed',
    parse: String,
    brief: 'Technology to build with',
    placeholder: 'TEXT',
    optional: true,
  },
} as const;

export const planningFlags = {
  target: {
    kind: 'parsed',
    parse: String,
    brief: 'Directory for the code; default: the project',
    placeholder: 'DIR',
    optional: true,
  },
  ...targetFlags,
  yes: switchFlag('Approve the plan without asking'),
  refresh: switchFlag('Reload agent files and project facts'),
} as const;

/** Ceilings of the run: nothing is launched once one is reached. */
export const ceilingFlags = {
  maxLaunches: {
    kind: 'parsed',
    parse: wholeNumber(1, 1_000_000),
    brief: 'Start at most N sessions in total',
    placeholder: 'N',
    optional: true,
  },
  maxTokens: {
    kind: 'parsed',
    parse: wholeNumber(1, 999_999_999),
    brief: 'Start no more sessions after N tokens',
    placeholder: 'N',
    optional: true,
  },
  maxCost: {
    kind: 'parsed',
    parse: amount,
    brief: 'Start no more sessions after spending USD dollars',
    placeholder: 'USD',
    optional: true,
  },
} as const;

export const detachFlag = switchFlag('Run in the background');

export const parallelFlag = {
  kind: 'parsed',
  parse: wholeNumber(1, 100),
  brief: 'Maximum number of tasks that run at once (default: as in the last execution, or 3)',
  placeholder: 'N',
  optional: true,
} as const;

export const undeclaredFlag = {
  kind: 'parsed',
  parse: oneOf(undeclaredPolicies),
  brief: 'Policy for files that a task did not declare (default: from tutti.yaml, else ask)',
  placeholder: undeclaredPolicies.join('|'),
  optional: true,
} as const;
