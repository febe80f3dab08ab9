import { costGroups } from '../../model/price-sum.ts';
import { runArgument } from '../arguments.ts';
import { command, type JsonFlag, jsonFlag } from '../command.ts';
import type { CostsFlags } from '../commands/costs.ts';
import type { EventsFlags } from '../commands/events.ts';
import type { RunsFlags } from '../commands/runs.ts';
import { duration, oneOf, wholeNumber } from '../parsers.ts';

export const runs = command<RunsFlags, []>({
  load: async () => (await import('../commands/runs.ts')).runs,
  parameters: {
    flags: {
      limit: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'How many, the newest first',
        placeholder: 'N',
        default: '20',
      },
      all: { kind: 'boolean', brief: 'All of them', default: false, withNegated: false },
      sessions: {
        kind: 'boolean',
        brief: 'Also those that are one session, which `tutti session list` lists',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
  },
  brief: 'List the runs of this project',
  about: 'The newest first, with what became of each.',
  examples: [
    ['tutti runs', 'the 20 newest'],
    ['tutti runs --all --json', 'all of them, one JSON object a line'],
  ],
});

export const status = command<JsonFlag, [run?: string]>({
  load: async () => (await import('../commands/status.ts')).status,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [runArgument] } },
  brief: 'Show a run, its steps, questions and budget',
  about:
    'With --json: run_id, workflow, state, outcome, exit_code, started_at, ended_at, steps, questions, budget.',
  examples: [
    ['tutti status', 'the newest run'],
    ['tutti status nightly --json', 'one run, for a program'],
  ],
});

export const events = command<EventsFlags, [run?: string]>({
  load: async () => (await import('../commands/events.ts')).events,
  parameters: {
    flags: {
      follow: {
        kind: 'boolean',
        brief: 'Go on until the run is over',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    aliases: { f: 'follow' },
    positional: { kind: 'tuple', parameters: [runArgument] },
  },
  brief: 'Tell what happened in a run, and what happens',
  about: 'With --json one event a line (NDJSON), each with seq, at, run_id and type.',
  examples: [
    ['tutti events --follow', 'watch the newest run until it is over'],
    ['tutti events nightly --json', 'everything so far, for a program'],
  ],
});

export const report = command<JsonFlag, [run?: string]>({
  load: async () => (await import('../commands/report.ts')).report,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [runArgument] } },
  brief: 'Print the execution report of a run',
  about: 'In Markdown: steps, problems, agent sessions, what was used. With --json: where the file is.',
  examples: [
    ['tutti report', 'of the newest run'],
    ['tutti report nightly > report.md', 'into a file'],
  ],
});

export const costs = command<CostsFlags, [run?: string]>({
  load: async () => (await import('../commands/costs.ts')).costs,
  parameters: {
    flags: {
      by: {
        kind: 'parsed',
        parse: oneOf(costGroups),
        brief: `What a line is for: ${costGroups.join(', ')}`,
        placeholder: 'WHAT',
        optional: true,
        proposeCompletions: (partial) => costGroups.filter((group) => group.startsWith(partial)),
      },
      since: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only what was started within this time, such as 7d',
        placeholder: 'TIME',
        optional: true,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ ...runArgument, brief: 'A run, with those inside it; without one, all' }],
    },
  },
  brief: 'Show the tokens and the money that agents used',
  about:
    'Of one run by step, of all runs by run, unless --by says otherwise. What an agent CLI tells counts; a cost computed\n' +
    'from tokens by the prices in tutti.yaml is marked ~; what nobody knows is said to be unknown.',
  examples: [
    ['tutti costs', 'every run, and the total'],
    ['tutti costs nightly', 'one run, step by step'],
    ['tutti costs --by tier --since 7d', 'what each tier took in a week'],
    ['tutti costs --by session --json', 'turn by turn, for a program'],
  ],
});

export const inbox = command<JsonFlag, []>({
  load: async () => (await import('../commands/inbox.ts')).inbox,
  parameters: { flags: { json: jsonFlag } },
  brief: 'List the questions that wait for a person',
  about: 'The oldest first, with options, age and the command that answers.',
  examples: [
    ['tutti inbox', 'what is open'],
    ['tutti inbox --json', 'the same for a program'],
  ],
});
