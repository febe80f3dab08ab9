import * as z from 'zod';
import {
  acpDefaults,
  type AcpDriver,
  acpPresets,
  type PermissionRules,
  permissionRules,
  toolKinds,
} from '../acp.ts';
import { argv, duration, filledText, members, oneOf, present, wanted } from './basic-shapes.ts';

const rule = oneOf(permissionRules).optional();

const kindRules = members({
  read: rule,
  edit: rule,
  delete: rule,
  move: rule,
  search: rule,
  execute: rule,
  think: rule,
  fetch: rule,
  switch_mode: rule,
  other: rule,
});

/** One rule for everything, or one for each kind of tool. */
const rulesForm = z.union(
  [oneOf(permissionRules), kindRules],
  wanted(`one of ${permissionRules.join(', ')}, or a mapping of these by ${toolKinds.join(', ')}`),
);

/** What a driver of type `acp` knows besides its models. */
export const acpMembers = {
  preset: oneOf(acpPresets).optional(),
  mode: filledText('the name of a mode').optional(),
  permissions: rulesForm.optional(),
  quiet_timeout: duration.optional(),
};

const shared = { command: argv().optional(), program: filledText().optional() };

type AcpForm = z.output<z.ZodObject<typeof acpMembers & typeof shared>>;

/** Null, or what is wrong about the members taken together. */
export function acpProblem({ preset, command, program }: AcpForm): string | null {
  if ((preset === undefined) === (command === undefined))
    return 'is wanted, or else "command": one of the two';
  return preset === undefined && program !== undefined ? 'is wanted with "program"' : null;
}

export function acpConfigOf(form: AcpForm, models: AcpDriver['models']): AcpDriver {
  const { command, preset = 'gemini', program, mode } = form;
  return {
    type: 'acp',
    agent: command === undefined ? { preset, ...present({ program }) } : { command },
    models,
    rules: rulesOf(form.permissions),
    quietMs: form.quiet_timeout ?? acpDefaults.quietMs,
    ...present({ mode }),
  };
}

/** Only what is named: one rule for everything names every kind. */
function rulesOf(form: z.output<typeof rulesForm> = {}): Partial<PermissionRules> {
  if (typeof form === 'object') return present(form);
  return Object.fromEntries(toolKinds.map((kind) => [kind, form]));
}
