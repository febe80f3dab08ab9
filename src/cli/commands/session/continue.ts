import { continueSession } from '../../../app/sessions/continue.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { withSession } from '../../session-project.ts';
import { sayCreated } from './create.ts';

export interface ContinueFlags extends JsonFlag {
  readonly maxDuration?: number;
}

export function continueIt(
  flags: ContinueFlags,
  context: Context,
  name: string,
  text: string,
): Promise<Outcome> {
  const { json, maxDuration = null } = flags;
  return withSession(context, { json, detach: true }, name, async (tutti, { id }) => {
    const given = text === '-' ? await context.input.text() : text;
    const created = await continueSession(tutti, { id, text: given, maxDurationMs: maxDuration });
    return created.ok ? sayCreated(context, tutti, created.value, json) : fail(context, created.error, json);
  });
}
