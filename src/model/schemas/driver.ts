import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { agentClis } from '../agent-clis.ts';
import type { DriverConfig, DriverForm } from '../config.ts';
import { acpConfigOf, acpMembers, acpProblem } from './acp.ts';
import { claudeConfigOf, claudeMembers } from './claude.ts';
import { codexConfigOf, codexMembers } from './codex.ts';
import { argv, filledText, list, members, oneOf, present, safeName, text, wanted } from './basic-shapes.ts';

const driverTypes = ['command', 'replay', 'record', 'claude', 'codex', 'acp'] as const;

/** What each type of driver needs, and what else it knows. */
const driverMembers = {
  command: { owed: ['command'], known: ['command', 'input', 'interactive'] },
  replay: { owed: ['cassette'], known: ['cassette'] },
  record: { owed: ['driver', 'cassette'], known: ['driver', 'cassette'] },
  claude: { owed: [], known: ['program', 'models', 'permissions', ...Object.keys(claudeMembers)] },
  codex: { owed: [], known: ['program', 'models', ...Object.keys(codexMembers)] },
  acp: { owed: [], known: ['command', 'program', 'models', ...Object.keys(acpMembers)] },
} as const;

const modelsForm = members({
  low: filledText('the name of a model').optional(),
  medium: filledText('the name of a model').optional(),
  high: filledText('the name of a model').optional(),
});

const variable = text().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');
export const variables = list(variable, 'a list of environment variables');

/** Flat, with a check, rather than a union: a mistake is then told about the member where it was made. */
export const driverForm = members({
  type: oneOf(driverTypes),
  command: argv().optional(),
  input: oneOf(['file', 'stream']).optional(),
  interactive: argv().optional(),
  driver: safeName().optional(),
  cassette: filledText('a path').optional(),
  program: filledText('the name of a program').optional(),
  ...claudeMembers,
  ...codexMembers,
  models: modelsForm.optional(),
  env: variables.optional(),
  ...acpMembers,
})
  .superRefine((form, context) => {
    const { owed, known } = driverMembers[form.type];
    for (const name of owed) {
      if (form[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
    }
    const together = form.type === 'acp' ? acpProblem(form) : null;
    if (together !== null) context.addIssue({ code: 'custom', path: ['preset'], message: together });
    if (form.type === 'claude' && form.permissions !== undefined && form.permissions !== 'ask') {
      const message = 'must be ask; other rules of claude are permission_mode and allowed_tools';
      context.addIssue({ code: 'custom', path: ['permissions'], message });
    }
    const allowed: readonly string[] = ['type', 'env', ...known];
    for (const name of Object.keys(form).filter((member) => !allowed.includes(member))) {
      const why = name === 'permissions' ? ', which cannot ask a person; use claude or acp' : '';
      const message = `is not for a driver of type ${form.type}${why}`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .meta({
    // Editors accept a driver without a type, which is one under the name of a CLI.
    required: [],
    oneOf: [...driverTypes.map(publishedForm), { not: { required: ['type'] } }],
  });

/** Drivers by name. One under the name of a CLI is that CLI, and needs no type. */
export const driversForm = z.preprocess(
  (value) => (isObject(value) ? byKnownNames(value) : value),
  z.record(safeName(), driverForm, wanted('a mapping of drivers by name')),
);

function byKnownNames(drivers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(drivers).map(([name, form]) => [name, withType(name, form)]));
}

function withType(name: string, form: Json): Json {
  const cli = agentClis.find((known) => known === name);
  if (cli === undefined || !isObject(form) || 'type' in form) return form;
  const type = driverTypes.find((known) => known === cli);
  if (type !== undefined) return { type, ...form };
  return 'command' in form ? { type: 'acp', ...form } : { type: 'acp', preset: cli, ...form };
}

function publishedForm(type: (typeof driverTypes)[number]): Record<string, unknown> {
  const { owed } = driverMembers[type];
  return {
    properties: { type: { const: type } },
    required: ['type', ...owed],
    ...(type === 'acp' ? { oneOf: [{ required: ['preset'] }, { required: ['command'] }] } : {}),
  };
}

export function driverConfigOf(form: z.output<typeof driverForm>): DriverConfig {
  return { ...driverFormOf(form), ...present({ env: form.env }) };
}

function driverFormOf(form: z.output<typeof driverForm>): DriverForm {
  const { type, command, driver = '', cassette = '', input = 'file', interactive } = form;
  if (type === 'claude') {
    const models = present(form.models ?? {});
    return claudeConfigOf(form, { program: form.program ?? 'claude', models });
  }
  if (type === 'codex') {
    const models = present(form.models ?? {});
    return codexConfigOf(form, { program: form.program ?? 'codex', models });
  }
  if (type === 'acp') return acpConfigOf(form, present(form.models ?? {}));
  if (type === 'record') return { type, driver, cassette };
  return command === undefined
    ? { type: 'replay', cassette }
    : { type: 'command', command, input, ...present({ interactive }) };
}
