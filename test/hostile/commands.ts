import { shortcuts } from '../../src/cli/arguments-line.ts';
import { knownCommands, partNames } from '../../src/cli/commands.ts';

/** Arguments with which a command gets as far as opening the project; those that need none are not named. */
const given: Readonly<Record<string, readonly string[]>> = {
  run: ['flows/x.yaml'],
  status: ['prepared'],
  answer: ['Q1', 'yes'],
  resume: ['prepared'],
  stop: ['--all'],
  build: ['SPEC.md', '--existing', '--target', '.'],
  log: ['INFO', 'agent', 'start', 'hello'],
  'log-tokens': ['s1', '1', '1', '0'],
  completions: ['bash'],
  'service install': ['--dry-run'],
  'service uninstall': ['--dry-run'],
  'plan make': ['SPEC.md', '--existing', '--target', '.'],
  'plan init': ['--plan', 'other', '--spec', 'SPEC.md'],
  'plan validate': ['tasks'],
  'plan validate-tasks': ['PASS'],
  'plan edit': ['T001', '--taken'],
  'task show': ['T001'],
  'task start': ['T001'],
  'task complete': ['T001'],
  'task fail': ['T001', 'it failed'],
  'task retry': ['T001'],
  'task skip': ['T001'],
  'task widen': ['T001', 'a.txt'],
  'bundle generate': ['T001'],
  'bundle validate': ['T001'],
  'bundle validate-integrity': ['T001'],
  'checkpoint create': ['T001'],
  'checkpoint update': ['T001', 'completed'],
  'compose show': ['researcher'],
  'compose new': ['executor', 'mine'],
  spawn: ['--prompt', 'hello'],
  executor: ['researcher', 'market', 'hello'],
  orchestrator: ['oresearch', 'hello'],
  'session create': ['coder', '../task.md'],
  'session continue': ['last', 'more'],
  'session send': ['last', 'more'],
  'session attach': ['last'],
  'session logs': ['last'],
  'session status': ['last'],
  'session wait': ['last'],
  'session kill': ['--all', '--force'],
  'session archive': ['--all'],
};

/** Why a command is not run in hostile clones. */
const left: ReadonlyMap<string, string> = new Map([['demo', 'it works in a folder that it makes']]);

/** Commands that start agents or commands by themselves. */
const starting = ['run', 'plan make', 'session create', 'spawn', 'executor', 'orchestrator'].map((name) => [
  ...name.split(' '),
  ...(given[name] ?? []),
]);

/** Every command that opens a project, as a person would type it. */
export const commands: readonly (readonly string[])[] = [
  ...knownCommands
    .filter((name) => !shortcuts.has(name) && !left.has(name))
    .flatMap((name) => {
      const parts = partNames.get(name);
      const lines = parts === undefined ? [[name]] : parts.map((part) => [name, part]);
      return lines.map((words) => [...words, ...(given[words.join(' ')] ?? [])]);
    }),
  ['doctor', '--all'],
  ['doctor', '--try', '--yes'],
  ['trust', '--show'],
  ['config', '--json'],
  ...['codex', 'gemini', 'opencode', 'replay'].map((cli) => [
    'session',
    'create',
    'coder',
    '../task.md',
    '--driver',
    cli,
  ]),
  // Working without it is recorded, so these come after all that ask.
  ...[...starting, ['execute'], ['resume', 'prepared']].map((words) => [...words, '--no-trust']),
  ...starting,
  ['session', 'create', 'coder', '../task.md', '--driver', 'replay', '--no-trust'],
  ['__complete', 'run', ''],
  ['__complete', 'session', 'create', ''],
];
