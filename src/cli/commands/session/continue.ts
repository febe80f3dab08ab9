import { continueSession } from '../../../app/sessions/continue.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { admit } from '../../admit.ts';
import type { JsonFlag, TrustFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { withSession } from '../../session-project.ts';
import { sayCreated } from './create.ts';

export interface ContinueFlags extends JsonFlag, TrustFlag {
  readonly maxDuration?: number;
}

export async function continueIt(
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
