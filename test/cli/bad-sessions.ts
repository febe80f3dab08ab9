import type { Outcome } from '../../src/model/outcome.ts';
import { quick } from './project.ts';
import { cli } from './rig.ts';

export interface Bad {
  readonly name: string;
  readonly args: readonly string[];
  readonly code: Outcome;
  /** What the one sentence must say. */
  readonly says: RegExp;
  /** What the next command must be. */
  readonly next: RegExp;
  readonly files?: Readonly<Record<string, string>>;
  readonly arrange?: (folder: string) => void | Promise<unknown>;
  readonly env?: Readonly<Record<string, string>>;
}

/** An agent that could run, and a task for it. */
const agentFiles = {
  'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [sh]}}\n',
  'task.md': 'do it\n',
};
const create = (...more: readonly string[]) => ['session', 'create', 'coder', 'task.md', ...more];

/** A project that has a database, and no session in it. */
const withRun = {
  files: { ...agentFiles, 'flow.yaml': quick },
  arrange: (folder: string) => cli({ folder }, 'run', 'flow.yaml'),
};

/** `bare`: a search path on which there is a shell and nothing else. */
export function badSessions(bare: string): readonly Bad[] {
  return [
    {
      name: 'session: agent not found',
      args: ['session', 'create', 'codr', 'task.md'],
      files: agentFiles,
      code: 'USAGE',
      says: /Agent 'codr' not found in agents\/; did you mean 'coder'\?/,
      next: /tutti agents/,
    },
    {
      name: 'session: agent with a mistake in its file',
      args: ['session', 'create', 'mine', 'task.md'],
      files: { ...agentFiles, 'agents/mine.md': '---\ntier: lo\n---\nYou work.\n' },
      code: 'USAGE',
      says: /^(tutti: )?agents\/mine\.md:2:\d+: tier: must be one of low, medium, high/,
      next: /tutti agents/,
    },
    {
      name: 'session: task prompt not found',
      args: ['session', 'create', 'coder', 'nowhere.md'],
      files: agentFiles,
      code: 'USAGE',
      says: /Task prompt file not found: nowhere\.md/,
      next: /give its path/,
    },
    {
      name: 'session: task prompt is a folder',
      args: ['session', 'create', 'coder', '.'],
      files: agentFiles,
      code: 'USAGE',
      says: /Task prompt file \. is a directory/,
      next: /UTF-8 text/,
    },
    {
      name: 'session: task prompt is empty',
      args: create(),
      files: { ...agentFiles, 'task.md': ' \n' },
      code: 'USAGE',
      says: /task\.md is empty/,
      next: /write the text into it/,
    },
    {
      name: 'session: NUL in the task prompt',
      args: create(),
      files: { ...agentFiles, 'task.md': 'do\0it' },
      code: 'USAGE',
      says: /contains NUL/,
      next: /remove it/,
    },
    {
      name: 'session: tmux missing',
      args: create('--in', 'tmux'),
      files: agentFiles,
      env: { PATH: bare },
      code: 'UNAVAILABLE',
      says: /tmux required \(install: apt install tmux\)/,
      next: /--in headless/,
    },
    {
      name: 'session: interactive and headless',
      args: create('--interactive', '--host', 'headless'),
      files: agentFiles,
      code: 'USAGE',
      says: /--interactive needs a pane/,
      next: /one of the two/,
    },
    {
      name: 'session: two places',
      args: create('--in', 'headless', '--host', 'tmux'),
      files: agentFiles,
      code: 'USAGE',
      says: /--in headless and --host tmux contradict each other/,
      next: /leave out --host/,
    },
    {
      name: 'session: unknown place',
      args: create('--in', 'screen'),
      files: agentFiles,
      code: 'USAGE',
      says: /--in must be one of headless, tmux, not 'screen'/,
      next: /tutti session create --help/,
    },
    {
      name: 'session: unknown host',
      args: create('--host', 'screen'),
      files: agentFiles,
      code: 'USAGE',
      says: /--host must be one of headless, tmux, not 'screen'/,
      next: /tutti session create --help/,
    },
    {
      name: 'session: unknown driver',
      args: create('--driver', 'mein'),
      files: agentFiles,
      code: 'USAGE',
      says: /mein/,
      next: /tutti doctor --all/,
    },
    {
      name: 'session: program of the driver missing',
      args: create(),
      files: {
        ...agentFiles,
        'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [no-such-program-here]}}\n',
      },
      code: 'UNAVAILABLE',
      says: /no-such-program-here is not on PATH/,
      next: /tutti doctor --all/,
    },
    ...['..', '../x', '/etc', 'nowhere', '-x', 'task.md'].map(
      (cwd): Bad => ({
        name: `session: works in ${cwd}`,
        args: create(`--cwd=${cwd}`),
        files: agentFiles,
        code: 'USAGE',
        says: /--cwd "/,
        next: /directory of the project/,
      }),
    ),
    {
      name: 'session: hostile tag',
      args: create('--tag', 'a;b\u001B[31m'),
      files: agentFiles,
      code: 'USAGE',
      says: /cannot be a tag/,
      next: /another one/,
    },
    {
      name: 'session: after one that is not there',
      args: create('--after', '20251118-153042-x'),
      files: agentFiles,
      code: 'USAGE',
      says: /Session not found: 20251118-153042-x/,
      next: /tutti session list/,
    },
    {
      name: 'session: unknown template',
      args: create('--template', 'reserch'),
      files: agentFiles,
      code: 'USAGE',
      says: /no template reserch.*did you mean research/,
      next: /--template/,
    },
    {
      name: 'session: schema of the result that is none',
      args: create('--result-schema', 'task.md'),
      files: agentFiles,
      code: 'USAGE',
      says: /--result-schema task\.md is not JSON/,
      next: /JSON Schema/,
    },
    {
      name: 'session: no duration',
      args: create('--max-duration', 'soon'),
      files: agentFiles,
      code: 'USAGE',
      says: /--max-duration must be a duration such as 90s, 10m or 1h30m, not 'soon'/,
      next: /tutti session create --help/,
    },
    {
      name: 'session: missing argument',
      args: ['session', 'create', 'coder'],
      code: 'USAGE',
      says: /PROMPT-FILE is missing/,
      next: /tutti session create --help/,
    },
    {
      name: 'session: unknown part',
      args: ['session', 'lst'],
      code: 'USAGE',
      says: /'lst'; did you mean 'list'/,
      next: /tutti session --help/,
    },
    {
      name: 'session: invalid filter',
      args: ['session', 'list', '--status', 'DONE'],
      code: 'USAGE',
      says: /Invalid status filter: DONE/,
      next: /CREATED\|RUNNING\|COMPLETED\|FAILED\|KILLED/,
    },
    {
      name: 'session: invalid filter of a kill',
      args: ['session', 'kill', '--all', '--status', 'DONE'],
      code: 'USAGE',
      says: /Invalid status filter: DONE/,
      next: /CREATED\|RUNNING/,
    },
    {
      name: 'session: kill without a session',
      args: ['session', 'kill', '--force'],
      code: 'USAGE',
      says: /ID is missing/,
      next: /tutti session list/,
    },
    {
      name: 'session: logs without a session',
      args: ['logs'],
      code: 'USAGE',
      says: /ID is missing/,
      next: /tutti session logs last/,
    },
    {
      name: 'session: kill one and all',
      args: ['session', 'kill', 'x', '--all', '--force'],
      code: 'USAGE',
      says: /either a session or --all/,
      next: /tutti session list/,
    },
    {
      name: 'session: list before one that is not there',
      args: ['session', 'list', '--before', 'nope'],
      ...withRun,
      code: 'USAGE',
      says: /Session not found: nope/,
      next: /tutti session list/,
    },
    ...[['status'], ['kill', '--force'], ['send', 'hello'], ['wait']].flatMap(([part = '', ...more]) =>
      [{}, withRun].map(
        (project): Bad => ({
          name: `session: ${part} of one that is not there, ${'files' in project ? 'in' : 'without'} a project`,
          args: ['session', part, '20251118-153042-x', ...more],
          ...project,
          code: 'USAGE',
          says: /Session not found: 20251118-153042-x/,
          next: /List all sessions: tutti session list/,
        }),
      ),
    ),
    ...['../../etc/passwd', '..', 'x\u001B[31mred', '$(reboot)', 'x'.repeat(300), 'né', 'a\0b'].map(
      (id): Bad => ({
        name: `session: hostile id ${JSON.stringify(id.slice(0, 20))}`,
        args: ['session', 'status', id],
        ...withRun,
        code: 'USAGE',
        says: /Session not found: /,
        next: /tutti session list/,
      }),
    ),
  ];
}
