import { refusal } from '../../../app/refusal.ts';
import { sendToSession } from '../../../app/sessions/send.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { liveSessionArgument } from '../../arguments.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { withSession } from '../../project.ts';

interface SendFlags extends JsonFlag {
  readonly timeout: number;
}

export const command = defineCommand<SendFlags, [id: string, text: string]>({
  reads: false,
  parameters: {
    flags: {
      timeout: {
        kind: 'parsed',
        parse: duration,
        brief: 'How long to wait until the agent receives it',
        placeholder: 'TIME',
        default: '10s',
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        liveSessionArgument,
        { parse: String, brief: 'Message; - reads standard input', placeholder: 'TEXT' },
      ],
    },
  },
  about:
    'Returns when the agent has received the message. If the agent does not receive it in time,\n' +
    'prints the reason and discards the message. Some drivers accept no messages.',
  examples: [
    ['tutti session send ID "only the parser, please"', 'send text'],
    ['tutti session send ID - < more.md', 'send a file'],
  ],
  run: send,
});

function send(flags: SendFlags, context: Context, name: string, text: string): Promise<Outcome> {
  const { json, timeout } = flags;
  return withSession(context, flags, name, async (tutti, { id }) => {
    const given = text === '-' ? await context.input.text() : text;
    if (given.trim() === '') {
      return fail(
        context,
        refusal('USAGE', 'a message cannot be empty', 'give it as TEXT, or pipe it in with -'),
        json,
      );
    }
    const sent = await sendToSession(tutti, { id, text: given, timeoutMs: timeout });
    if (!sent.ok) return fail(context, sent.error, json);
    if (json) printJson<Output<'session-send'>>(context, { session_id: id, delivered: true });
    else printLines(context, [`Message delivered: ${id}`]);
    return 'SUCCESS';
  });
}
