import * as z from 'zod';
import {
  type AcpDriver,
  acpPresets,
  cautiousRules,
  type PermissionRule,
  type PermissionRules,
  permissionRules,
  toolKinds,
} from '../acp.ts';
import { argv, duration, filledText, members, oneOf, present, wanted } from './leaf.ts';

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

/** A silent agent is given up before people would wonder, and long after a model has thought. */
const quietMs = 10 * 60_000;

export function acpConfigOf(form: AcpForm, models: AcpDriver['models']): AcpDriver {
  const { command, preset = 'gemini', program, mode } = form;
  return {
    type: 'acp',
    agent: command === undefined ? { preset, ...present({ program }) } : { command },
    models,
    rules: rulesOf(form.permissions),
    quietMs: form.quiet_timeout ?? quietMs,
    ...present({ mode }),
  };
}

/** What is not named stays as cautious as without any rule. */
function rulesOf(form: z.output<typeof rulesForm> | undefined): PermissionRules {
  const named: Partial<Record<string, PermissionRule>> = typeof form === 'object' ? form : {};
  const chosen = (kind: (typeof toolKinds)[number]): PermissionRule =>
    typeof form === 'string' ? form : (named[kind] ?? cautiousRules[kind]);
  return {
    read: chosen('read'),
    edit: chosen('edit'),
    delete: chosen('delete'),
    move: chosen('move'),
    search: chosen('search'),
    execute: chosen('execute'),
    think: chosen('think'),
    fetch: chosen('fetch'),
    switch_mode: chosen('switch_mode'),
    other: chosen('other'),
  };
}
