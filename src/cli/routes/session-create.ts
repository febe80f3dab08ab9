import { agentArgument, sessionArgument } from '../arguments.ts';
import { command, jsonFlag, trustFlag } from '../command.ts';
import type { CreateFlags } from '../commands/session/create.ts';
import { duration, oneOf, wholeNumber } from '../parsers.ts';
import { tagFlag } from './session-flags.ts';

/** Where the session is seen. */
const paneFlag = {
  kind: 'parsed',
  parse: oneOf(['headless', 'tmux']),
  brief: 'headless: files only; tmux: add a pane that shows it',
  placeholder: 'headless|tmux',
  optional: true,
  proposeCompletions: (partial: string) => ['headless', 'tmux'].filter((place) => place.startsWith(partial)),
} as const;

export const create = command<CreateFlags, [agent: string, promptFile: string]>({
  load: async () => (await import('../commands/session/create.ts')).create,
  reads: false,
  parameters: {
    flags: {
      driver: {
        kind: 'parsed',
        parse: String,
        brief: 'Driver to use; default: from the agent file or tutti.yaml',
        placeholder: 'D',
        optional: true,
      },
      in: paneFlag,
      host: { ...paneFlag, brief: 'The same as --in, by its earlier name', hidden: true },
      interactive: {
        kind: 'boolean',
        brief: "Run the CLI's own interface in a tmux pane",
        default: false,
        withNegated: false,
      },
      cwd: {
        kind: 'parsed',
        parse: String,
        brief: 'Working directory, inside the project',
        placeholder: 'DIR',
        optional: true,
      },
      addDir: {
        kind: 'parsed',
        parse: String,
        brief: 'Additional directory it may use (repeatable)',
        placeholder: 'DIR',
        variadic: true,
        optional: true,
      },
      tag: { ...tagFlag, brief: 'Tag for filtering (repeatable)' },
      parent: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Parent session',
        optional: true,
      },
      after: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Start after this session succeeds (repeatable)',
        variadic: true,
        optional: true,
      },
      retry: {
        kind: 'parsed',
        parse: wholeNumber(0, 10),
        brief: 'Retries after a failure, if something changed',
        placeholder: 'N',
        default: '0',
      },
      maxDuration: {
        kind: 'parsed',
        parse: duration,
        brief: 'Kill it after this time, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      result: {
        kind: 'parsed',
        parse: oneOf(['required', 'optional']),
        brief: 'Whether it must hand over a result',
        placeholder: 'required|optional',
        optional: true,
        proposeCompletions: (partial) =>
          ['required', 'optional'].filter((choice) => choice.startsWith(partial)),
      },
      resultSchema: {
        kind: 'parsed',
        parse: String,
        brief: 'JSON Schema for its result',
        placeholder: 'FILE',
        optional: true,
      },
      template: {
        kind: 'parsed',
        parse: String,
        brief: 'Prompt template: validation, research, change, or templates/NAME.md',
        placeholder: 'NAME',
        optional: true,
      },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        agentArgument,
        { parse: String, brief: 'File with the task, in Markdown', placeholder: 'PROMPT-FILE' },
      ],
    },
  },
  brief: 'Start an agent on a task',
  about:
    'Returns as soon as the agent runs; the agent continues in the background. In a pipe, the third word of the first line\n' +
    'is the id. Exits with 23 if max_sessions sessions are already running.',
  examples: [
    ['tutti session create coder task.md', 'start it'],
    ['tutti session create coder task.md --max-duration 10m --tag nightly', 'with a limit and a tag'],
    ['tutti session create tester check.md --after ID', 'after another session succeeds'],
    ['tutti session create coder task.md --in tmux', 'with a tmux pane'],
  ],
});
