import * as z from 'zod';
import type { GateSpec } from '../flow.ts';
import { argv, duration, filledText, members, pathBelow, wanted, wholeNumber } from './basic-shapes.ts';

const usualTimeoutMs = 600_000;

/** The members that name the kind, strongest first, and those that go with them. */
const kinds = ['schema', 'file', 'command', 'diff', 'tools', 'verifier', 'approval'] as const;
const companions: Readonly<Record<GateSpec['kind'], readonly string[]>> = {
  schema: ['file'],
  file: [],
  command: ['timeout'],
  diff: [],
  tools: [],
  verifier: [],
  approval: [],
};

/** Flat, with a check, rather than a union: a mistake is then told about the member where it was made. */
export const gateForm = members({
  file: pathBelow('the directory of the step').optional(),
  command: argv().optional(),
  timeout: duration.optional(),
  schema: pathBelow('the project').optional(),
  diff: z.literal(true, wanted('true')).optional(),
  tools: wholeNumber(1, 1_000_000).optional(),
  verifier: filledText('the name of an agent').optional(),
  approval: filledText('the question to ask').optional(),
})
  .superRefine((form, context) => {
    const kind = kinds.find((each) => form[each] !== undefined);
    if (kind === undefined) {
      context.addIssue({ code: 'custom', message: `must have one of ${kinds.join(', ')}` });
      return;
    }
    if (kind === 'schema' && form.file === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['schema'],
        message: 'needs the file that it describes, as "file"',
      });
    }
    const own = [kind, ...companions[kind]];
    for (const name of Object.keys(form).filter((each) => !own.includes(each))) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `does not go with "${kind}": a gate is one thing`,
      });
    }
  })
  .meta({ anyOf: kinds.map((kind) => ({ required: kind === 'schema' ? ['schema', 'file'] : [kind] })) });

export function gateOf(form: z.output<typeof gateForm>): GateSpec {
  const { file = '', command, schema, diff, tools, verifier, approval } = form;
  if (schema !== undefined) return { kind: 'schema', path: file, schema };
  if (command !== undefined) {
    return { kind: 'command', argv: command, timeoutMs: form.timeout ?? usualTimeoutMs };
  }
  if (diff !== undefined) return { kind: 'diff' };
  if (tools !== undefined) return { kind: 'tools', min: tools };
  if (verifier !== undefined) return { kind: 'verifier', agent: verifier };
  if (approval !== undefined) return { kind: 'approval', question: approval };
  return { kind: 'file', path: file };
}
