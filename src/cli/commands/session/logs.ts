import { refusal } from '../../../app/refusal.ts';
import {
  followBytes,
  type Following,
  followLog,
  type LogPlace,
  once,
} from '../../../app/sessions/follow-log.ts';
import { sessionLog, untilEnded } from '../../../app/sessions/watch-session.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { sessionArgument } from '../../arguments.ts';
import { lastLines } from '../../attach/last-lines.ts';
import { lineTeller, readerOf } from '../../attach/line-teller.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { wholeNumber } from '../../parsers.ts';
import { withSession } from '../../project.ts';

interface LogsFlags extends JsonFlag {
  readonly follow: boolean;
  readonly lines?: number;
  readonly raw: boolean;
  readonly sessionLog: boolean;
}

export const command = defineCommand<LogsFlags, [id: string]>({
  reads: true,
  follows: ({ follow }) => follow,
  parameters: {
    flags: {
      follow: switchFlag('Print new output until the session ends'),
      lines: {
        kind: 'parsed',
        parse: wholeNumber(1, 10_000),
        brief: 'Print only the last N lines',
        placeholder: 'N',
        optional: true,
      },
      raw: switchFlag('Print the raw bytes; unsafe on a terminal'),
      sessionLog: switchFlag("Print the session's own history instead"),
      json: jsonFlag,
    },
    aliases: { f: 'follow' },
    positional: { kind: 'tuple', parameters: [sessionArgument] },
  },
  about:
    'Works for ended and archived sessions too. With --json, prints one event per line (NDJSON) with type\n' +
    'and offset.',
  examples: [
    ['tutti session logs 20251118-153042-reviewer -f', 'print from the start until it ends'],
    ['tutti session logs 20251118-153042-reviewer --lines 20', 'print its last 20 lines'],
  ],
  run: logs,
});

function logs(flags: LogsFlags, context: Context, name: string): Promise<Outcome> {
  return withSession(context, flags, name, async (tutti, session) => {
    const { id } = session;
    const { follow, raw, json } = flags;
    if (raw && (json || flags.lines !== undefined)) {
      const message = `--raw writes the file as it is, and cannot be had with ${json ? '--json' : '--lines'}`;
      const next = `leave one of them out: tutti session logs ${id}${json ? ' --json' : ' --raw | tail'}`;
      return fail(context, refusal('USAGE', message, next), json);
    }
    const file = flags.sessionLog ? 'session.log' : 'output.log';
    const path = await sessionLog(tutti, session, file);
    if (!path.ok) return fail(context, path.error, json);
    const reader = readerOf(context);
    const following = follow ? untilEnded(tutti, id, reader) : once(reader);
    if (raw) {
      await copyBytes(context, path.value, following);
      return 'SUCCESS';
    }
    let isSilent = true;
    const lines = lastLines(flags.lines ?? null, (text) => {
      isSilent = false;
      context.process.stdout.write(text);
    });
    const tell = lineTeller(context, { tutti, session, name: file, json, write: lines.add });
    await followLog(path.value, { ...tell, caughtUp: lines.flush }, following);
    // Somebody who looks would take no output for no answer.
    if (isSilent && !json && !flags.sessionLog)
      context.process.stderr.write(
        `session ${id} has printed nothing\n  → see its history: tutti session logs ${id} --session-log\n`,
      );
    return 'SUCCESS';
  });
}

function copyBytes({ screen }: Context, path: LogPlace, following: Following): Promise<void> {
  return followBytes(
    path,
    {
      news: async (news) => (news.kind === 'bytes' ? screen.writeBytes(news.bytes) : undefined),
      caughtUp: () => undefined,
    },
    following,
  );
}
