import { sessionArgument } from '../arguments.ts';
import { command, type JsonFlag, jsonFlag } from '../command.ts';
import type { ListFlags } from '../commands/session/list.ts';
import type { WaitFlags } from '../commands/session/wait.ts';
import { duration, wholeNumber } from '../parsers.ts';
import { statusFlag, tagFlag } from './session-flags.ts';

export const list = command<ListFlags, []>({
  load: async () => (await import('../commands/session/list.ts')).list,
  reads: true,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      parent: { ...sessionArgument, kind: 'parsed', brief: 'Only children of this session', optional: true },
      limit: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'Number of sessions, newest first',
        placeholder: 'N',
        default: '50',
      },
      all: { kind: 'boolean', brief: 'List all sessions', default: false, withNegated: false },
      before: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Only sessions older than this one',
        optional: true,
      },
      archived: {
        kind: 'boolean',
        brief: 'List archived sessions instead',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
  },
  brief: 'List sessions and their totals',
  about:
    'Newest first, with times in UTC. In a pipe, standard output has a header and one line per session that starts with its\n' +
    'id; totals go to standard error.',
  examples: [
    ['tutti session list', 'the 50 newest'],
    ['tutti session list --status failed --tag nightly', 'filtered'],
    ['tutti session list --all --json', 'all sessions, one JSON object per line'],
  ],
});

export const status = command<JsonFlag, [id: string]>({
  load: async () => (await import('../commands/session/status.ts')).status,
  reads: true,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [sessionArgument] } },
  brief: 'Show a session: activity, outcome, files',
  about: 'While it runs: whether it works, waits for a person, is paused by a limit, is stalled or is dead.',
  examples: [
    ['tutti session status ID', 'for a person'],
    ['tutti session status ID --json', 'for a program'],
  ],
});

export const wait = command<WaitFlags, string[]>({
  load: async () => (await import('../commands/session/wait.ts')).wait,
  reads: false,
  parameters: {
    flags: {
      timeout: {
        kind: 'parsed',
        parse: duration,
        brief: 'Stop waiting after TIME, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      ok: {
        kind: 'boolean',
        brief: 'Exit with 0 if all succeeded, else with 1',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    positional: { kind: 'array', parameter: sessionArgument, minimum: 1 },
  },
  brief: 'Wait until sessions and their retries end',
  about: 'Exits with the code of the most serious outcome, or with 21 if the timeout comes first.',
  examples: [
    ['tutti session wait ID', 'without a timeout'],
    ['tutti session wait ID1 ID2 --timeout 10m', 'for both, at most ten minutes'],
    ['tutti session wait ID --ok && deploy', 'only if it succeeded'],
  ],
});
