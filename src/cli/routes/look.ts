import { costGroups } from '../../model/price-sum.ts';
import { runArgument } from '../arguments.ts';
import { command, type JsonFlag, jsonFlag } from '../command.ts';
import type { CostsFlags } from '../commands/costs.ts';
import type { EventsFlags } from '../commands/events.ts';
import type { RunsFlags } from '../commands/runs.ts';
import { duration, oneOf, wholeNumber } from '../parsers.ts';

export const runs = command<RunsFlags, []>({
  load: async () => (await import('../commands/runs.ts')).runs,
  reads: true,
  parameters: {
    flags: {
      limit: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'Number of runs, newest first',
        placeholder: 'N',
        default: '20',
      },
      all: { kind: 'boolean', brief: 'List all runs', default: false, withNegated: false },
      sessions: {
        kind: 'boolean',
        brief: 'Include runs that consist of one session',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
  },
  brief: 'List the runs of this project',
  about: 'Newest first, with the outcome of each.',
  examples: [
    ['tutti runs', 'the 20 newest'],
    ['tutti runs --all --json', 'all runs, one JSON object per line'],
  ],
});

export const status = command<JsonFlag, [run?: string]>({
  load: async () => (await import('../commands/status.ts')).status,
  reads: true,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [runArgument] } },
  brief: 'Show a run with its steps, questions and budget',
  about:
    'With --json: run_id, workflow, state, outcome, exit_code, started_at, ended_at, steps, questions, budget.',
  examples: [
    ['tutti status', 'the newest run'],
    ['tutti status nightly --json', 'one run, for a program'],
  ],
});

export const events = command<EventsFlags, [run?: string]>({
  load: async () => (await import('../commands/events.ts')).events,
  reads: true,
  parameters: {
    flags: {
      follow: {
        kind: 'boolean',
        brief: 'Continue until the run ends',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    aliases: { f: 'follow' },
    positional: { kind: 'tuple', parameters: [runArgument] },
  },
  brief: "Show a run's event log (--follow streams it)",
  about: 'With --json, one event per line (NDJSON) with seq, at, run_id and type.',
  examples: [
    ['tutti events --follow', 'watch the newest run until it ends'],
    ['tutti events nightly --json', 'everything so far, for a program'],
  ],
});

export const report = command<JsonFlag, [run?: string]>({
  load: async () => (await import('../commands/report.ts')).report,
  reads: true,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [runArgument] } },
  brief: 'Print the execution report of a run',
  about:
    'Markdown with steps, problems, agent sessions and usage. With --json, it also prints the path of the file.',
  examples: [
    ['tutti report', 'the newest run'],
    ['tutti report nightly > report.md', 'into a file'],
  ],
});

export const costs = command<CostsFlags, [run?: string]>({
  load: async () => (await import('../commands/costs.ts')).costs,
  reads: true,
  parameters: {
    flags: {
      by: {
        kind: 'parsed',
        parse: oneOf(costGroups),
        brief: `Group by ${costGroups.join(', ')}`,
        placeholder: 'WHAT',
        optional: true,
        proposeCompletions: (partial) => costGroups.filter((group) => group.startsWith(partial)),
      },
      since: {
        kind: 'parsed',
        parse: duration,
        brief: 'Count only sessions started within TIME, such as 7d',
        placeholder: 'TIME',
        optional: true,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ ...runArgument, brief: 'A run, including its child runs; default: all runs' }],
    },
  },
  brief: 'Show tokens and money that agents used',
  about:
    'One run is grouped by step, all runs by run, unless you use --by. The cost that an agent CLI reports counts; a cost\n' +
    'computed from tokens and the prices in tutti.yaml is marked ~; any other cost is unknown.',
  examples: [
    ['tutti costs', 'every run, and the total'],
    ['tutti costs nightly', 'one run, step by step'],
    ['tutti costs --by tier --since 7d', 'by tier, for the last week'],
    ['tutti costs --by session --json', 'turn by turn, for a program'],
  ],
});

export const inbox = command<JsonFlag, []>({
  load: async () => (await import('../commands/inbox.ts')).inbox,
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  brief: 'List questions that wait for a person',
  about: 'Oldest first, with options, age and the command that answers.',
  examples: [
    ['tutti inbox', 'open questions'],
    ['tutti inbox --json', 'the same for a program'],
  ],
});
