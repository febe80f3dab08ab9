import { liveSessionArgument, sessionArgument } from '../arguments.ts';
import { command, jsonFlag } from '../command.ts';
import type { AttachFlags } from '../commands/session/attach.ts';
import type { LogsFlags } from '../commands/session/logs.ts';
import { wholeNumber } from '../parsers.ts';

export const attach = command<AttachFlags, [id: string]>({
  load: async () => (await import('../commands/session/attach.ts')).attach,
  parameters: {
    flags: {
      pane: {
        kind: 'boolean',
        brief: 'For the pane of --host tmux: nothing that is typed ends it',
        default: false,
        withNegated: false,
        hidden: true,
      },
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [liveSessionArgument] },
  },
  brief: 'Watch a session live, and talk to it',
  about:
    'In its tmux pane where it has one, else in this terminal. Ctrl-C detaches, and the session goes on.\nEnds with the outcome of the session.',
  examples: [
    ['tutti session attach 20251118-153042-reviewer', 'see what it does now'],
    ['tutti session attach 20251118-153042-reviewer | cat', 'only read along'],
  ],
});

export const logs = command<LogsFlags, [id: string]>({
  load: async () => (await import('../commands/session/logs.ts')).logs,
  parameters: {
    flags: {
      follow: {
        kind: 'boolean',
        brief: 'Go on until the session has ended',
        default: false,
        withNegated: false,
      },
      lines: {
        kind: 'parsed',
        parse: wholeNumber(1, 10_000),
        brief: 'Only the last ones',
        placeholder: 'N',
        optional: true,
      },
      raw: {
        kind: 'boolean',
        brief: 'The bytes of the file as they are; unsafe on a terminal',
        default: false,
        withNegated: false,
      },
      sessionLog: {
        kind: 'boolean',
        brief: 'What happened to the session, instead of what it said',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    aliases: { f: 'follow' },
    positional: { kind: 'tuple', parameters: [sessionArgument] },
  },
  brief: 'Print what a session said and did',
  about:
    'Also of a session that ended or was archived. With --json one event a line (NDJSON), each with type and offset.',
  examples: [
    ['tutti session logs 20251118-153042-reviewer -f', 'from the beginning until it ends'],
    ['tutti session logs 20251118-153042-reviewer --lines 20', 'its last 20 lines'],
  ],
});
