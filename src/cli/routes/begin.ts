import { command, jsonFlag } from '../command.ts';
import { wholeNumber } from '../parsers.ts';
import type { DemoFlags } from '../commands/demo.ts';
import type { InitFlags } from '../commands/init.ts';
import type { RunFlags } from '../commands/run.ts';

export const init = command<InitFlags, [folder?: string]>({
  load: async () => (await import('../commands/init.ts')).init,
  parameters: {
    flags: {
      driver: {
        kind: 'parsed',
        parse: String,
        brief: 'Agent CLI to use: claude, codex, gemini or opencode',
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
  brief: 'Make a folder a project that uses your agent CLI',
  about:
    'Looks for claude, codex, gemini and opencode on PATH, asks which one to use if there are several, and writes tutti.yaml.\n' +
    'Without a terminal it uses the first one found. Existing files are kept.',
  examples: [
    ['tutti init', 'in the current folder'],
    ['tutti init --driver codex', 'without a question'],
    ['tutti init --demo tutti-demo', 'an example that runs without a key, in a folder of its own'],
  ],
});

export const run = command<RunFlags, [file: string]>({
  load: async () => (await import('../commands/run.ts')).run,
  parameters: {
    flags: {
      runId: {
        kind: 'parsed',
        parse: String,
        brief: 'Name of the run; a known one is amended: what did not change keeps its result',
        placeholder: 'ID',
        optional: true,
      },
      parallel: {
        kind: 'parsed',
        parse: wholeNumber(1, 1000),
        brief: 'How many steps may be under way at once',
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
        brief: 'Take agent files anew; a known run otherwise keeps those it started with',
        default: false,
        withNegated: false,
      },
      detach: {
        kind: 'boolean',
        brief: 'Let a conductor drive it in the background',
        default: false,
        withNegated: false,
      },
      estimate: {
        kind: 'boolean',
        brief: 'Only say what it may take, from earlier runs and declared times; start nothing',
        default: false,
        withNegated: false,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'A flow: YAML or JSON', placeholder: 'FILE' }],
    },
  },
  brief: 'Run a flow',
  about:
    'Drives the run here and shows its progress. On a terminal it stays while people are asked; otherwise it ends with\n' +
    'code 3 when only people can go on. Ctrl-C lets what is under way finish and starts nothing new; Ctrl-C again\n' +
    'stops it. Either way `tutti resume` goes on, and nothing that finished runs again.',
  examples: [
    ['tutti run flows/example.yaml', 'start a run and watch it'],
    ['tutti run flows/example.yaml --run-id nightly', 'the same run again: only what changed or failed'],
    ['tutti run flows/example.yaml --detach', 'in the background; watch with tutti events --follow'],
    ['tutti run flows/example.yaml --estimate', 'what it may cost, as far as that is known'],
    ['tutti run flows/example.yaml --json', 'events as NDJSON, the status last'],
  ],
});

export const demo = command<DemoFlags, []>({
  load: async () => (await import('../commands/demo.ts')).demo,
  parameters: {
    flags: {
      keep: {
        kind: 'parsed',
        parse: String,
        brief: 'Put the demo there and keep it',
        placeholder: 'DIR',
        optional: true,
      },
      json: jsonFlag,
    },
  },
  brief: 'See a specification become tested code, in a minute and without any key',
  about:
    'In a temporary git repository, recorded agents write real code that real gates test. One heals a failing test, one\n' +
    'asks a question, and the orchestrator is killed in the middle: nothing runs twice.',
  examples: [
    ['tutti demo', 'in a temporary folder'],
    ['tutti demo --keep try-it', 'and look at what was made'],
  ],
});
