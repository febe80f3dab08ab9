import { buildRouteMap, type RouteMap } from '@stricli/core';
import { runArgument } from '../arguments.ts';
import { command, examplesText, type JsonFlag, jsonFlag } from '../command.ts';
import type { DoctorFlags } from '../commands/doctor.ts';
import type { ServiceFlags } from '../commands/service.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../parsers.ts';

export const doctor = command<DoctorFlags, [driver?: string]>({
  load: async () => (await import('../commands/doctor.ts')).doctor,
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
      yes: { kind: 'boolean', brief: 'Try without asking', default: false, withNegated: false },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'A driver, with --try', placeholder: 'DRIVER', optional: true }],
    },
  },
  brief: 'Check everything that this project uses',
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
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: 'tuple', parameters: [{ ...runArgument, brief: 'A run; without one, all' }] },
  },
  brief: 'Make the files of a run again from the database',
  about:
    'state.json, .signals, checkpoints, execution-report.md and the others are views: nothing is lost with them.',
  examples: [
    ['tutti rebuild', 'of all runs'],
    ['tutti rebuild nightly', 'of one run'],
  ],
});

const serviceParameters = {
  flags: {
    dryRun: { kind: 'boolean', brief: 'Only print what would be done', default: false, withNegated: false },
    json: jsonFlag,
  },
} as const;

const serviceExamples = [
  ['tutti service install --dry-run', 'see the unit first'],
  ['tutti service install', 'from the next login on'],
  ['tutti service uninstall', 'not any more'],
] as const;

const install = command<ServiceFlags, []>({
  load: async () => (await import('../commands/service.ts')).install,
  parameters: serviceParameters,
  brief: 'Start the conductor of this project at every login',
  about:
    'A systemd user unit, or a launch agent on macOS. Parked runs then go on after a reboot by themselves.',
  examples: serviceExamples,
});

const uninstall = command<ServiceFlags, []>({
  load: async () => (await import('../commands/service.ts')).uninstall,
  parameters: serviceParameters,
  brief: 'Take that back',
  about: 'Removes the unit; runs and their results stay.',
  examples: serviceExamples,
});

const serviceStatus = command<JsonFlag, []>({
  load: async () => (await import('../commands/service.ts')).status,
  parameters: { flags: { json: jsonFlag } },
  brief: 'Say whether it is installed',
  about: 'Code 0 when it is, 1 when it is not.',
  examples: serviceExamples,
});

const serviceMap = buildRouteMap<'install' | 'uninstall' | 'status', Context>({
  routes: { install, uninstall, status: serviceStatus },
  docs: { brief: 'Bring the conductor back after a reboot' },
});

export const service: RouteMap<Context> = {
  ...serviceMap,
  formatHelp: (args) => `${serviceMap.formatHelp(args)}\n${examplesText(serviceExamples)}`,
};

export const completions = command<JsonFlag, [shell: 'bash' | 'zsh' | 'fish']>({
  load: async () => (await import('../commands/completions.ts')).completions,
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
  about: 'It asks this program itself, so it is never out of date.',
  examples: [
    ['source <(tutti completions bash)', 'in ~/.bashrc'],
    ['source <(tutti completions zsh)', 'in ~/.zshrc, after compinit'],
    ['tutti completions fish | source', 'in ~/.config/fish/config.fish'],
  ],
});

/** Started by other commands; a person has no need to see it. */
export const conductor = command<JsonFlag, []>({
  load: async () => (await import('../commands/conductor.ts')).conductor,
  parameters: { flags: { json: jsonFlag } },
  brief: 'Drive the parked and running runs of this project until nothing but questions remains',
  about: 'Other commands start it when it is needed; `tutti service install` starts it at login.',
  examples: [['tutti conductor', 'in the foreground']],
});
