import { agentArgument, sessionArgument } from '../arguments.ts';
import { command, jsonFlag } from '../command.ts';
import type { CreateFlags } from '../commands/session/create.ts';
import { duration, oneOf, wholeNumber } from '../parsers.ts';
import { tagFlag } from './session-flags.ts';

export const create = command<CreateFlags, [agent: string, promptFile: string]>({
  load: async () => (await import('../commands/session/create.ts')).create,
  parameters: {
    flags: {
      driver: {
        kind: 'parsed',
        parse: String,
        brief: 'How the agent is run; otherwise as its file or tutti.yaml says',
        placeholder: 'D',
        optional: true,
      },
      host: {
        kind: 'parsed',
        parse: oneOf(['headless', 'tmux']),
        brief: 'headless: files only; tmux: also a pane that shows it',
        placeholder: 'headless|tmux',
        optional: true,
        proposeCompletions: (partial) => ['headless', 'tmux'].filter((host) => host.startsWith(partial)),
      },
      interactive: {
        kind: 'boolean',
        brief: "The agent's own interface in a pane of tmux, for a person",
        default: false,
        withNegated: false,
      },
      cwd: {
        kind: 'parsed',
        parse: String,
        brief: 'Where the agent works; a directory of the project',
        placeholder: 'DIR',
        optional: true,
      },
      addDir: {
        kind: 'parsed',
        parse: String,
        brief: 'A further directory it may use (may be given several times)',
        placeholder: 'DIR',
        variadic: true,
        optional: true,
      },
      tag: { ...tagFlag, brief: 'To find it again (may be given several times)' },
      parent: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'The session on whose behalf it works',
        optional: true,
      },
      after: {
        ...sessionArgument,
        kind: 'parsed',
        brief: 'Start when this session has succeeded (may be given several times)',
        variadic: true,
        optional: true,
      },
      retry: {
        kind: 'parsed',
        parse: wholeNumber(0, 10),
        brief: 'Further tries after a failure, if something changed',
        placeholder: 'N',
        default: '0',
      },
      maxDuration: {
        kind: 'parsed',
        parse: duration,
        brief: 'End it after this time, such as 10m',
        placeholder: 'TIME',
        optional: true,
      },
      result: {
        kind: 'parsed',
        parse: oneOf(['required', 'optional']),
        brief: 'Whether it must write a result.json',
        placeholder: 'required|optional',
        optional: true,
        proposeCompletions: (partial) =>
          ['required', 'optional'].filter((choice) => choice.startsWith(partial)),
      },
      resultSchema: {
        kind: 'parsed',
        parse: String,
        brief: 'JSON Schema that its result.json must meet',
        placeholder: 'FILE',
        optional: true,
      },
      template: {
        kind: 'parsed',
        parse: String,
        brief: 'Put the task into a template: validation, research, change, or templates/NAME.md',
        placeholder: 'NAME',
        optional: true,
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        agentArgument,
        { parse: String, brief: 'A file with the task, in Markdown', placeholder: 'PROMPT-FILE' },
      ],
    },
  },
  brief: 'Start an agent on a task',
  about:
    'Returns as soon as the agent runs; it goes on by itself, in the background. In a pipe the third word of the first\n' +
    'line is the id. When max_sessions of them are under way it is refused, with code 23.',
  examples: [
    ['tutti session create coder task.md', 'start it'],
    ['tutti session create coder task.md --max-duration 10m --tag nightly', 'with a limit and a tag'],
    ['tutti session create tester check.md --after ID', 'when another one has succeeded'],
    ['tutti session create coder task.md --host tmux', 'with a pane to look at'],
  ],
});
