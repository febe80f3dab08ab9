import * as z from 'zod';
import { type ClaudeDriver, permissionModes } from '../claude.ts';
import { filledText, list, oneOf, present, wanted, wholeNumber } from './basic-shapes.ts';

const dollars = 'an amount of dollars above 0';

/** What a driver of type `claude` knows besides its program and its models. */
export const claudeMembers = {
  permission_mode: oneOf(permissionModes).optional(),
  allowed_tools: list(filledText('the name of a tool'), 'a list of tools').optional(),
  max_turns: wholeNumber(1, 10_000).optional(),
  max_budget_usd: z.number(wanted(dollars)).positive(`must be ${dollars}`).optional(),
  mcp_config: filledText('a path').optional(),
  settings: filledText('a path').optional(),
};

type ClaudeForm = z.output<z.ZodObject<typeof claudeMembers>> & { readonly permissions?: unknown };
type Shared = Pick<ClaudeDriver, 'program' | 'models'>;

export function claudeConfigOf(form: ClaudeForm, shared: Shared): ClaudeDriver {
  return {
    type: 'claude',
    ...shared,
    ...present({
      allowedTools: form.allowed_tools,
      permissionMode: form.permission_mode,
      asks: form.permissions === 'ask' ? true : undefined,
      maxTurns: form.max_turns,
      maxBudgetUsd: form.max_budget_usd,
      mcpConfig: form.mcp_config,
      settings: form.settings,
    }),
  };
}
