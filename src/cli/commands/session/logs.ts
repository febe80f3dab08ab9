import { followBytes, type Following, followLog, once } from '../../../app/sessions/follow-log.ts';
import { refusal } from '../../../app/refusal.ts';
import { sessionLog, untilEnded } from '../../../app/sessions/watch-session.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { lineTeller, readerOf } from '../../attach/line-teller.ts';
import { lastLines } from '../../attach/last-lines.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { withSession } from '../../session-project.ts';

export interface LogsFlags extends JsonFlag {
  readonly follow: boolean;
  readonly lines?: number;
  readonly raw: boolean;
  readonly sessionLog: boolean;
}

export function logs(flags: LogsFlags, context: Context, name: string): Promise<Outcome> {
  return withSession(context, flags, name, async (tutti, session) => {
    const { id } = session;
    const { follow, raw, json } = flags;
    if (raw && (json || flags.lines !== undefined)) {
      const message = `--raw writes the file as it is, and cannot be had with ${json ? '--json' : '--lines'}`;
      const next = `leave one of them out: tutti session logs ${id}${json ? ' --json' : ' --raw | tail'}`;
      return fail(context, refusal('USAGE', message, next), json);
    }
    const file = flags.sessionLog ? 'session.log' : 'output.log';
    const path = sessionLog(tutti, session, file);
    if (!path.ok) return fail(context, path.error, json);
    const reader = readerOf(context);
    const following = follow ? untilEnded(tutti, id, reader) : once(reader);
    if (raw) {
      await copyBytes(context, path.value, following);
      return 'SUCCESS';
    }
    const lines = lastLines(flags.lines ?? null, (text) => {
      context.process.stdout.write(text);
    });
    const tell = lineTeller(context, { tutti, session, name: file, json, write: lines.add });
    await followLog(path.value, { ...tell, caughtUp: lines.flush }, following);
    return 'SUCCESS';
  });
}

function copyBytes({ screen }: Context, path: () => string | null, following: Following): Promise<void> {
  return followBytes(
    path,
    {
      news: (news) => (news.kind === 'bytes' ? screen.writeBytes(news.bytes) : undefined),
      caughtUp: () => undefined,
    },
    following,
  );
}
