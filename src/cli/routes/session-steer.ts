import { liveSessionArgument, sessionArgument } from '../arguments.ts';
import { command, jsonFlag, trustFlag } from '../command.ts';
import type { ContinueFlags } from '../commands/session/continue.ts';
import type { KillFlags } from '../commands/session/kill.ts';
import type { SendFlags } from '../commands/session/send.ts';
import { duration } from '../parsers.ts';
import { statusFlag, tagFlag } from './session-flags.ts';

export const kill = command<KillFlags, [id?: string]>({
  load: async () => (await import('../commands/session/kill.ts')).kill,
  reads: false,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      all: { kind: 'boolean', brief: 'Kill all matching sessions', default: false, withNegated: false },
      force: {
        kind: 'boolean',
        brief: 'Do not ask; required without a terminal',
        default: false,
        withNegated: false,
      },
      reason: {
        kind: 'parsed',
        parse: String,
        brief: 'Reason, for the record',
        placeholder: 'TEXT',
        optional: true,
      },
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [{ ...liveSessionArgument, optional: true }] },
  },
  brief: 'Kill a session and every process it started',
  about:
    'Asks first. A session that has ended already is left as it is, with code 0; "no" to the question is code 1.',
  examples: [
    ['tutti session kill ID', 'one session, after a question'],
    ['tutti session kill ID --force --reason "wrong branch"', 'without asking, with a reason'],
    ['tutti session kill --all --tag nightly --force', 'all sessions with a tag'],
  ],
});

export const continueIt = command<ContinueFlags, [id: string, text: string]>({
  load: async () => (await import('../commands/session/continue.ts')).continueIt,
  reads: false,
  parameters: {
    flags: {
      maxDuration: {
        kind: 'parsed',
        parse: duration,
        brief: 'Kill it after this time, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        sessionArgument,
        { parse: String, brief: 'Message; - reads standard input', placeholder: 'TEXT' },
      ],
    },
  },
  brief: 'Continue the conversation of a session that has ended',
  about:
    'Starts a new session in the same conversation, with the same agent, driver and folder, and returns as soon as it runs.\n' +
    'While a session still works, use tutti session send.',
  examples: [
    ['tutti session continue last "Now add a test for it."', 'the newest session'],
    ['tutti session continue 20251118 - < more.md', 'by the beginning of its id, from a file'],
  ],
});

export const send = command<SendFlags, [id: string, text: string]>({
  load: async () => (await import('../commands/session/send.ts')).send,
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
  brief: 'Send a message to a working agent',
  about:
    'Returns when the agent has received the message. Otherwise it says why, and the message is not delivered later. Some\n' +
    'drivers accept no messages.',
  examples: [
    ['tutti session send ID "only the parser, please"', 'in words'],
    ['tutti session send ID - < more.md', 'from a file'],
  ],
});
