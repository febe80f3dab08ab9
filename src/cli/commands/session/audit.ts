import { auditEvents, auditJson, auditSentence } from '../../../app/sessions/audit.ts';
import { requiredSession } from '../../../app/sessions/find.ts';
import { type AuditKind, auditKinds } from '../../../model/audit.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { sessionArgument } from '../../arguments.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration, oneOf } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { withProjectIfMade } from '../../project.ts';

interface AuditFlags extends JsonFlag {
  readonly since?: number;
  readonly event?: AuditKind;
  readonly session?: string;
}

export const command = defineCommand<AuditFlags, []>({
  reads: true,
  parameters: {
    flags: {
      since: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only events of the last TIME, such as 1d',
        placeholder: 'TIME',
        optional: true,
      },
      event: {
        kind: 'parsed',
        parse: oneOf(auditKinds),
        brief: `Only events of this kind: ${auditKinds.join(', ')}`,
        placeholder: 'KIND',
        optional: true,
        proposeCompletions: (partial) => auditKinds.filter((kind) => kind.startsWith(partial)),
      },
      session: { ...sessionArgument, kind: 'parsed', brief: 'Only events of this session', optional: true },
      json: jsonFlag,
    },
  },
  about:
    'Prints the newest event last, from the database. With --json, prints one object per line: seq, at,\n' +
    'event, session_id, level, message, and members of the event. .tutti/logs/orchestrator.log is a copy\n' +
    'for people.',
  examples: [
    ['tutti session audit --since 1d', 'show the last day'],
    ['tutti session audit --event kill --json', 'print who killed which session, as JSON'],
    ['grep Timeout .tutti/logs/orchestrator.log', 'find sessions that timed out, in the log'],
  ],
  run: audit,
});

function audit(flags: AuditFlags, context: Context): Promise<Outcome> {
  const { json, since, event, session } = flags;
  const none = (): Outcome => {
    if (!json) printLines(context, ['Nothing was recorded about sessions']);
    return 'SUCCESS';
  };
  return withProjectIfMade(context, flags, none, async (tutti) => {
    const found = session === undefined ? null : await requiredSession(tutti, session);
    if (found?.ok === false) return fail(context, found.error, json);
    let some = false;
    const request = { sinceMs: since ?? null, kind: event ?? null, session: found?.value.id ?? null };
    for await (const told of auditEvents(tutti, request)) {
      if (context.screen.isClosed()) return 'SUCCESS';
      some = true;
      if (json) printJson(context, auditJson(told));
      else printLines(context, [auditSentence(told)]);
      await context.screen.drained();
    }
    return some ? 'SUCCESS' : none();
  });
}
