import { jsonFlag } from '../command.ts';
import type { Context } from '../context.ts';

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
  const { planNames } = await import('../completions/plans.ts');
  return planNames(this, partial);
}

async function proposeTasks(this: Context, partial: string): Promise<readonly string[]> {
  const { taskIds } = await import('../completions/plans.ts');
  return taskIds(this, partial);
}
