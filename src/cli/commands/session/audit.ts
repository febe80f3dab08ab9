import { auditEvents, auditJson, auditSentence } from '../../../app/sessions/audit.ts';
import { requiredSession } from '../../../app/sessions/find.ts';
import type { AuditKind } from '../../../model/audit.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { withProjectIfMade } from '../../project.ts';

export interface AuditFlags extends JsonFlag {
  readonly since?: number;
  readonly event?: AuditKind;
  readonly session?: string;
}

export function audit(flags: AuditFlags, context: Context): Promise<Outcome> {
  const { json, since, event, session } = flags;
  const none = (): Outcome => {
    if (!json) printLines(context, ['Nothing was told about sessions']);
    return 'SUCCESS';
  };
  return withProjectIfMade(context, flags, none, async (tutti) => {
    const found = session === undefined ? null : requiredSession(tutti, session);
    if (found?.ok === false) return fail(context, found.error, json);
    let some = false;
    const request = { sinceMs: since ?? null, kind: event ?? null, session: found?.value.id ?? null };
    for (const told of auditEvents(tutti, request)) {
      if (context.screen.isClosed()) return 'SUCCESS';
      some = true;
      if (json) printJson(context, auditJson(told));
      else printLines(context, [auditSentence(told)]);
      await context.screen.drained();
    }
    return some ? 'SUCCESS' : none();
  });
}
