import { continueSession } from '../../../app/session-control/continue.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { admit } from '../../admit.ts';
import { sessionArgument } from '../../arguments.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, trustFlag, type TrustFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration } from '../../parsers.ts';
import { sayCreated } from './create.ts';
import { withSession } from '../../project.ts';

interface ContinueFlags extends JsonFlag, TrustFlag {
  readonly maxDuration?: number;
}

export const command = defineCommand<ContinueFlags, [id: string, text: string]>({
  reads: false,
  parameters: {
    flags: {
      maxDuration: {
        kind: 'parsed',
        parse: duration,
        brief: 'Kill the new session after this time, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        sessionArgument,
        { parse: String, brief: 'Message; - reads standard input', placeholder: 'TEXT' },
      ],
    },
  },
  about:
    'Starts a new session in the same conversation, with the same agent, driver and directory, and\n' +
    'returns as soon as it runs. While a session is still working, use `tutti session send`.\n' +
    'If the session belongs to a step or task of an unfinished run, use `tutti resume` or `tutti answer`\n' +
    'instead.',
  examples: [
    ['tutti session continue last "Now add a test for it."', 'continue the newest session'],
    ['tutti session continue 20251118 - < more.md', 'name it by a prefix, and read the message from a file'],
  ],
  run: continueConversation,
});

async function continueConversation(
  flags: ContinueFlags,
  context: Context,
  name: string,
  text: string,
): Promise<Outcome> {
  const { json, maxDuration = null } = flags;
  const admitted = await admit(context, flags);
  if (!admitted.ok) return fail(context, admitted.error, json);
  return withSession(context, { json, detach: true }, name, async (tutti, { id }) => {
    const given = text === '-' ? await context.input.text() : text;
    const created = await continueSession(tutti, { id, text: given, maxDurationMs: maxDuration });
    return created.ok ? sayCreated(context, tutti, created.value, json) : fail(context, created.error, json);
  });
}
