import { liveSessionArgument, sessionArgument } from '../arguments.ts';
import { command, jsonFlag } from '../command.ts';
import type { AttachFlags } from '../commands/session/attach.ts';
import type { LogsFlags } from '../commands/session/logs.ts';
import { wholeNumber } from '../parsers.ts';

export const attach = command<AttachFlags, [id: string]>({
  load: async () => (await import('../commands/session/attach.ts')).attach,
  reads: true,
  parameters: {
    flags: {
      pane: {
        kind: 'boolean',
        brief: 'For the pane of --in tmux: nothing that is typed ends it',
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
    'Opens its tmux pane if it has one, else shows it in this terminal. Ctrl-C detaches; the session continues.\nExits with the outcome of the session.',
  examples: [
    ['tutti session attach 20251118-153042-reviewer', 'watch it'],
    ['tutti session attach 20251118-153042-reviewer | cat', 'read only'],
  ],
});

export const logs = command<LogsFlags, [id: string]>({
  load: async () => (await import('../commands/session/logs.ts')).logs,
  reads: true,
  parameters: {
    flags: {
      follow: {
        kind: 'boolean',
        brief: 'Continue until the session ends',
        default: false,
        withNegated: false,
      },
      lines: {
        kind: 'parsed',
        parse: wholeNumber(1, 10_000),
        brief: 'Print only the last N lines',
        placeholder: 'N',
        optional: true,
      },
      raw: {
        kind: 'boolean',
        brief: 'Print the raw bytes; unsafe on a terminal',
        default: false,
        withNegated: false,
      },
      sessionLog: {
        kind: 'boolean',
        brief: "Print the session's own history instead",
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
    'Works for ended and archived sessions too. With --json, one event per line (NDJSON) with type and offset.',
  examples: [
    ['tutti session logs 20251118-153042-reviewer -f', 'from the beginning until it ends'],
    ['tutti session logs 20251118-153042-reviewer --lines 20', 'its last 20 lines'],
  ],
});
