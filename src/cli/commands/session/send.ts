import type { Outcome } from '../../../model/outcome.ts';
import { refusal } from '../../../app/refusal.ts';
import { sendToSession } from '../../../app/sessions/send.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { withSession } from '../../session-project.ts';

export interface SendFlags extends JsonFlag {
  readonly timeout: number;
}

export function send(flags: SendFlags, context: Context, name: string, text: string): Promise<Outcome> {
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
    if (json) printJson(context, { session_id: id, delivered: true });
    else printLines(context, [`Message delivered: ${id}`]);
    return 'SUCCESS';
  });
}
