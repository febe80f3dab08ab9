import * as z from 'zod';
import { permissions, type Permission } from '../session-prompt.ts';
import { tiers, type Tier } from '../turn.ts';
import { list, oneOf, safeName, text, wanted, wholeNumber } from './basic-shapes.ts';

/** A list, or one text with commas, as other tools write it. */
const nameList = z
  .union([text(), list(text(), 'a list of names')], wanted('a list of names'))
  .nullable()
  .optional();

/**
 * What stands between the `---` lines of an agent's file. Other tools keep their own members there, so unknown ones
 * are none of our business.
 */
export const agentFrontMatterForm = z.looseObject(
  {
    name: text('the name of the agent').optional(),
    description: text('a sentence').nullable().optional(),
    tier: oneOf(tiers).optional(),
    driver: safeName().optional(),
    result: oneOf(['required', 'optional']).optional(),
    min_tools: wholeNumber(0, 1000).optional(),
    tools: nameList,
    model: text('the name of a model').nullable().optional(),
    skills: nameList,
    allow: list(oneOf(permissions), `a list of ${permissions.join(', ')}`)
      .nullable()
      .optional(),
  },
  wanted('a mapping with description, tier, driver, result, min_tools, tools, skills, allow'),
);

export interface AgentFrontMatter {
  readonly description: string;
  readonly driver: string | null;
  readonly tier: Tier;
  readonly result: 'required' | 'optional';
  readonly minTools: number | null;
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly skills: readonly string[];
  readonly allow: readonly Permission[];
}

export function agentFrontMatterOf(form: z.output<typeof agentFrontMatterForm>): AgentFrontMatter {
  return {
    description: form.description ?? '',
    driver: form.driver ?? null,
    tier: form.tier ?? 'medium',
    result: form.result ?? 'required',
    minTools: form.min_tools ?? null,
    tools: listed(form.tools),
    model: modelOf(form.model),
    skills: listed(form.skills),
    // Most agents are there to change code; one that only looks says so.
    allow: form.allow ?? ['code'],
  };
}

/** `inherit` is Claude's word for the model of the caller: here that is the tier's. */
function modelOf(model: string | null | undefined): string | null {
  const named = model?.trim() ?? '';
  return named === '' || named === 'inherit' ? null : named;
}

function listed(names: string | readonly string[] | null | undefined): readonly string[] {
  const each = typeof names === 'string' ? names.split(/,(?![^(]*\))/) : (names ?? []);
  return each.map((name) => name.trim()).filter((name) => name !== '' && name !== '*');
}
