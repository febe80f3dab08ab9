import { buildRouteMap, type RouteMap } from '@stricli/core';
import { runArgument } from '../arguments.ts';
import { command, examplesText, type JsonFlag, jsonFlag, trustFlag } from '../command.ts';
import type { ConductorFlags } from '../commands/conductor.ts';
import type { DoctorFlags } from '../commands/doctor.ts';
import type { ServiceFlags } from '../commands/service.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../parsers.ts';

export const doctor = command<DoctorFlags, [driver?: string]>({
  load: async () => (await import('../commands/doctor.ts')).doctor,
  reads: false,
  parameters: {
    flags: {
      all: {
        kind: 'boolean',
        brief: 'Also list what this project does not use',
        default: false,
        withNegated: false,
      },
      try: {
        kind: 'boolean',
        brief: "Run one small turn with DRIVER, or with the project's, and show what works",
        default: false,
        withNegated: false,
      },
      yes: { kind: 'boolean', brief: 'Do not ask before trying', default: false, withNegated: false },
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'A driver, with --try', placeholder: 'DRIVER', optional: true }],
    },
  },
  brief: 'Check everything this project uses',
  about:
    'Node, git, configuration, drivers, their CLIs with version and sign-in, sandbox, state, database, agents and trust; each\n' +
    'fault with the command that fixes it. Starts no program that the repository contains. Code 0 unless something is missing\n' +
    'that this project needs.',
  examples: [
    ['tutti doctor', 'check this project'],
    ['tutti doctor --all', 'also other agent CLIs, tmux, sandbox tools, disk and limits'],
    ['tutti doctor --try', 'prove with one small turn that agents can read, write, run commands and report'],
    ['tutti doctor --json', 'the same for a program'],
  ],
});

export const rebuild = command<JsonFlag, [run?: string]>({
  load: async () => (await import('../commands/rebuild.ts')).rebuild,
  reads: false,
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: 'tuple', parameters: [{ ...runArgument, brief: 'A run; default: all runs' }] },
  },
  brief: "Rewrite a run's files from the database",
  about:
    'state.json, .signals, checkpoints, execution-report.md and the others are views; the database is the record.',
  examples: [
    ['tutti rebuild', 'all runs'],
    ['tutti rebuild nightly', 'one run'],
  ],
});

export const recover = command<JsonFlag, []>({
  load: async () => (await import('../commands/recover.ts')).recover,
  reads: false,
  parameters: { flags: { json: jsonFlag } },
  brief: 'Restore a damaged or lost database',
  about:
    'Restores the newest good copy of .tutti/tutti.db with the changes after it, and reads the folders of sessions that it\n' +
    'does not know. Keeps the old file in .tutti/damaged. Code 12, and a line for each, if something could not be restored.',
  examples: [
    ['tutti recover', 'restore, and name what is lost'],
    ['tutti recover --json', 'the same for a program'],
  ],
});

const serviceParameters = {
  flags: {
    dryRun: {
      kind: 'boolean',
      brief: 'Print the changes without making them',
      default: false,
      withNegated: false,
    },
    json: jsonFlag,
  },
} as const;

const serviceExamples = [
  ['tutti service install --dry-run', 'see the unit first'],
  ['tutti service install', 'start with the next login'],
  ['tutti service uninstall', 'remove it'],
] as const;

const install = command<ServiceFlags, []>({
  load: async () => (await import('../commands/service.ts')).install,
  reads: false,
  parameters: serviceParameters,
  brief: 'Start the conductor of this project at every login',
  about:
    'Installs a systemd user unit, or a launch agent on macOS, so that parked runs continue after a reboot.',
  examples: serviceExamples,
});

const uninstall = command<ServiceFlags, []>({
  load: async () => (await import('../commands/service.ts')).uninstall,
  reads: false,
  parameters: serviceParameters,
  brief: 'Remove the service',
  about: 'Removes the unit and keeps runs and results.',
  examples: serviceExamples,
});

const serviceStatus = command<JsonFlag, []>({
  load: async () => (await import('../commands/service.ts')).status,
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  brief: 'Show whether the service is installed',
  about: 'Exits with 0 if it is installed, else with 1.',
  examples: serviceExamples,
});

const serviceMap = buildRouteMap<'install' | 'uninstall' | 'status', Context>({
  routes: { install, uninstall, status: serviceStatus },
  docs: { brief: 'Start the conductor at login' },
});

export const service: RouteMap<Context> = {
  ...serviceMap,
  formatHelp: (args) => `${serviceMap.formatHelp(args)}\n${examplesText(serviceExamples)}`,
};

export const completions = command<JsonFlag, [shell: 'bash' | 'zsh' | 'fish']>({
  load: async () => (await import('../commands/completions.ts')).completions,
  reads: true,
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(['bash', 'zsh', 'fish']),
          brief: 'bash, zsh or fish',
          placeholder: 'SHELL',
          proposeCompletions: (partial) =>
            ['bash', 'zsh', 'fish'].filter((shell) => shell.startsWith(partial)),
        },
      ],
    },
  },
  brief: 'Print a completion script for your shell',
  about: 'The script asks this program for every word, so it is never out of date.',
  examples: [
    ['source <(tutti completions bash)', 'in ~/.bashrc'],
    ['source <(tutti completions zsh)', 'in ~/.zshrc, after compinit'],
    ['tutti completions fish | source', 'in ~/.config/fish/config.fish'],
  ],
});

/** Started by other commands; a person has no need to see it. */
export const conductor = command<ConductorFlags, []>({
  load: async () => (await import('../commands/conductor.ts')).conductor,
  reads: false,
  parameters: { flags: { trust: trustFlag, json: jsonFlag } },
  brief: 'Advance all runs until only questions remain',
  about: 'Other commands start it when needed; `tutti service install` starts it at login.',
  examples: [['tutti conductor', 'in the foreground']],
});
