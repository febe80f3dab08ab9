import { sessionArgument } from '../arguments.ts';
import { command, type JsonFlag, jsonFlag } from '../command.ts';
import type { ListFlags } from '../commands/session/list.ts';
import type { WaitFlags } from '../commands/session/wait.ts';
import { duration, wholeNumber } from '../parsers.ts';
import { statusFlag, tagFlag } from './session-flags.ts';

export const list = command<ListFlags, []>({
  load: async () => (await import('../commands/session/list.ts')).list,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      parent: { ...sessionArgument, kind: 'parsed', brief: 'Only those of this session', optional: true },
      limit: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'How many, the newest first',
        placeholder: 'N',
        default: '50',
      },
      all: { kind: 'boolean', brief: 'All of them', default: false, withNegated: false },
      before: { ...sessionArgument, kind: 'parsed', brief: 'Only those older than this one', optional: true },
      archived: {
        kind: 'boolean',
        brief: 'Those that were archived, instead of the others',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
  },
  brief: 'List sessions, with how many there are of each kind',
  about:
    'The newest first, times in UTC like those in the ids. In a pipe standard output is the head and one line a session,\n' +
    'the id first; the totals are on standard error.',
  examples: [
    ['tutti session list', 'the 50 newest'],
    ['tutti session list --status failed --tag nightly', 'some of them'],
    ['tutti session list --all --json', 'all of them, one JSON object a line'],
  ],
});

export const status = command<JsonFlag, [id: string]>({
  load: async () => (await import('../commands/session/status.ts')).status,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [sessionArgument] } },
  brief: 'Show a session: what it does, what became of it, where its files are',
  about:
    'Whether it works, waits for a person, is paused by a limit, has stalled or is dead is told while it runs.',
  examples: [
    ['tutti session status ID', 'for a person'],
    ['tutti session status ID --json', 'for a program'],
  ],
});

export const wait = command<WaitFlags, string[]>({
  load: async () => (await import('../commands/session/wait.ts')).wait,
  parameters: {
    flags: {
      timeout: {
        kind: 'parsed',
        parse: duration,
        brief: 'Wait no longer than this, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      ok: {
        kind: 'boolean',
        brief: 'A predicate: code 0 if all succeeded, else 1',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    positional: { kind: 'array', parameter: sessionArgument, minimum: 1 },
  },
  brief: 'Wait until sessions have ended, their retries too',
  about: 'Ends with the code of the gravest outcome among them, 21 if the time is over first.',
  examples: [
    ['tutti session wait ID', 'however long it takes'],
    ['tutti session wait ID1 ID2 --timeout 10m', 'for both, at most ten minutes'],
    ['tutti session wait ID --ok && deploy', 'only if it succeeded'],
  ],
});
