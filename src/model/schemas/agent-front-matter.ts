import * as z from 'zod';
import { permissions, type Permission } from '../session-prompt.ts';
import { tiers, type Tier } from '../turn.ts';
import { list, oneOf, safeName, text, wanted } from './leaf.ts';

/**
 * What stands between the `---` lines of an agent's file. Other tools keep their own members there, so unknown ones
 * are none of our business; `tools` is a list or, as other tools write it, one text with commas.
 */
export const agentFrontMatterForm = z.looseObject(
  {
    name: text('the name of the agent').optional(),
    description: text('a sentence').nullable().optional(),
    tier: oneOf(tiers).optional(),
    driver: safeName().optional(),
    result: oneOf(['required', 'optional']).optional(),
    tools: z
      .union([text(), list(text(), 'a list of tools')], wanted('a list of tools'))
      .nullable()
      .optional(),
    allow: list(oneOf(permissions), `a list of ${permissions.join(', ')}`)
      .nullable()
      .optional(),
  },
  wanted('a mapping with description, tier, driver, result, tools, allow'),
);

export interface AgentFrontMatter {
  readonly description: string;
  readonly driver: string | null;
  readonly tier: Tier;
  readonly result: 'required' | 'optional';
  readonly tools: readonly string[];
  readonly allow: readonly Permission[];
}

export function agentFrontMatterOf(form: z.output<typeof agentFrontMatterForm>): AgentFrontMatter {
  const tools = typeof form.tools === 'string' ? form.tools.split(',') : (form.tools ?? []);
  return {
    description: form.description ?? '',
    driver: form.driver ?? null,
    tier: form.tier ?? 'medium',
    result: form.result ?? 'required',
    tools: tools.map((tool) => tool.trim()).filter((tool) => tool !== ''),
    // Most agents are there to change code; one that only looks says so.
    allow: form.allow ?? ['code'],
  };
}
