import { listWords } from '../../lib/word-list.ts';
import { agentClis } from '../../model/agent-clis.ts';
import { command, jsonFlag, trustFlag } from '../command.ts';
import { wholeNumber } from '../parsers.ts';
import type { DemoFlags } from '../commands/demo.ts';
import type { InitFlags } from '../commands/init.ts';
import type { RunFlags } from '../commands/run.ts';

export const init = command<InitFlags, [folder?: string]>({
  load: async () => (await import('../commands/init.ts')).init,
  reads: false,
  parameters: {
    flags: {
      driver: {
        kind: 'parsed',
        parse: String,
        brief: `Agent CLI to use: ${listWords(agentClis, 'or')}`,
        placeholder: 'NAME',
        optional: true,
      },
      demo: {
        kind: 'boolean',
        brief: 'Write the demo project into DIR instead; it needs no key',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'Folder; default: the current one', placeholder: 'DIR', optional: true },
      ],
    },
  },
  brief: 'Set up a project for your agent CLI',
  about:
    `Looks for ${listWords(agentClis, 'and')} on PATH, asks which one to use if there are several, and writes tutti.yaml.\n` +
    'Without a terminal it uses the first one found. Existing files are kept.',
  examples: [
    ['tutti init', 'in the current folder'],
    [`tutti init --driver ${agentClis[1]}`, 'without a question'],
    ['tutti init --demo tutti-demo', 'an example that runs without a key, in a new folder'],
  ],
});

export const run = command<RunFlags, [file: string]>({
  load: async () => (await import('../commands/run.ts')).run,
  reads: false,
  parameters: {
    flags: {
      runId: {
        kind: 'parsed',
        parse: String,
        brief: 'Name of the run; an existing run is amended and keeps unchanged results',
        placeholder: 'ID',
        optional: true,
      },
      parallel: {
        kind: 'parsed',
        parse: wholeNumber(1, 1000),
        brief: 'Maximum number of steps that run at once',
        placeholder: 'N',
        optional: true,
      },
      // What it was called before.
      maxParallel: {
        kind: 'parsed',
        parse: wholeNumber(1, 1000),
        brief: 'The same as --parallel',
        placeholder: 'N',
        optional: true,
        hidden: true,
      },
      refresh: {
        kind: 'boolean',
        brief: "Reload agent files instead of using the run's snapshot",
        default: false,
        withNegated: false,
      },
      detach: {
        kind: 'boolean',
        brief: 'Run in the background',
        default: false,
        withNegated: false,
      },
      estimate: {
        kind: 'boolean',
        brief: 'Print an estimate from earlier runs and declared times; start nothing',
        default: false,
        withNegated: false,
      },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'Flow file, YAML or JSON', placeholder: 'FILE' }],
    },
  },
  brief: 'Run a flow',
  about:
    'Runs the flow here and shows its progress. On a terminal it waits while a question is open; elsewhere it exits with 3\n' +
    'when it needs a person. Ctrl-C finishes running steps and starts no new ones; a second Ctrl-C stops them. `tutti resume`\n' +
    'continues in both cases, and finished steps do not run again.',
  examples: [
    ['tutti run flows/example.yaml', 'start a run and watch it'],
    ['tutti run flows/example.yaml --run-id nightly', 'again: run only what changed or failed'],
    ['tutti run flows/example.yaml --detach', 'in the background; watch with tutti events --follow'],
    ['tutti run flows/example.yaml --estimate', 'what it may cost, where that is known'],
    ['tutti run flows/example.yaml --json', 'events as NDJSON, the status last'],
  ],
});

export const demo = command<DemoFlags, []>({
  load: async () => (await import('../commands/demo.ts')).demo,
  reads: false,
  parameters: {
    flags: {
      keep: {
        kind: 'parsed',
        parse: String,
        brief: 'Create the demo in DIR and keep it',
        placeholder: 'DIR',
        optional: true,
      },
      json: jsonFlag,
    },
  },
  brief: 'Turn a sample specification into tested code, without a key',
  about:
    'Recorded agents write real code in a temporary git repository, and real gates test it. One agent heals a failing test,\n' +
    'one asks a question, and the demo kills its own orchestrator to show that nothing runs twice.',
  examples: [
    ['tutti demo', 'in a temporary folder'],
    ['tutti demo --keep try-it', 'keep the result'],
  ],
});
