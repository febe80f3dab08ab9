import { shortcuts } from './arguments-line.ts';
import type { CommandBuilder, Example } from './define-command.ts';

/** A command: its line in overviews, and the file that holds everything else about it. */
export interface Listed {
  /** At most 60 characters, a verb first, without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: CommandBuilder }>;
}

/** A word with commands below it. */
export interface Family {
  readonly summary: string;
  readonly loadExamples: () => Promise<{ readonly examples: readonly Example[] }>;
  readonly parts: Readonly<Record<string, Listed>>;
}

/**
 * Every command. `tutti session list` is defined in `commands/session/list.ts`, which is loaded when that command is meant:
 * overviews, completion of names and misspelt names need only this table.
 */
export const commands: Readonly<Record<string, Listed | Family>> = {
  init: { summary: 'Set up a project for your agent CLI', load: () => import('./commands/init.ts') },
  doctor: { summary: 'Check everything this project uses', load: () => import('./commands/doctor.ts') },
  demo: {
    summary: 'Turn a sample specification into code, without an API key',
    load: () => import('./commands/demo.ts'),
  },
  build: {
    summary: 'Plan a specification, ask for approval, and execute it',
    load: () => import('./commands/build.ts'),
  },
  run: { summary: 'Run a flow', load: () => import('./commands/run.ts') },
  runs: { summary: 'List the runs of this project', load: () => import('./commands/runs.ts') },
  status: {
    summary: 'Show a run with its steps, questions and budget',
    load: () => import('./commands/status.ts'),
  },
  events: {
    summary: "Show a run's event log (--follow streams it)",
    load: () => import('./commands/events.ts'),
  },
  report: { summary: 'Print the execution report of a run', load: () => import('./commands/report.ts') },
  costs: { summary: 'Show the tokens and cost of runs', load: () => import('./commands/costs.ts') },
  inbox: { summary: 'List questions that wait for a person', load: () => import('./commands/inbox.ts') },
  answer: {
    summary: 'Answer a question; its run continues automatically',
    load: () => import('./commands/answer.ts'),
  },
  resume: {
    summary: 'Continue a halted, stopped, failed or crashed run',
    load: () => import('./commands/resume.ts'),
  },
  halt: { summary: 'Finish running steps, start no new ones', load: () => import('./commands/halt.ts') },
  stop: { summary: 'Stop a run and kill every process it started', load: () => import('./commands/stop.ts') },
  plan: {
    summary: 'Plan a specification: make, show, approve, status, …',
    loadExamples: () => import('./commands/plan/group.ts'),
    parts: {
      make: {
        summary: 'Turn a specification into verified, approved tasks',
        load: () => import('./commands/plan/make.ts'),
      },
      show: {
        summary: 'Show a plan: tasks, files, commands, order, forecast',
        load: () => import('./commands/plan/show.ts'),
      },
      approve: { summary: 'Approve the current plan', load: () => import('./commands/plan/approve.ts') },
      edit: {
        summary: 'Edit and reload task files; finished work is kept',
        load: () => import('./commands/plan/edit.ts'),
      },
      refuse: { summary: 'Refuse the current plan', load: () => import('./commands/plan/refuse.ts') },
      verify: {
        summary: 'Run the verifier on the tasks again',
        load: () => import('./commands/plan/verify.ts'),
      },
      init: {
        summary: 'Create an agent-led plan',
        load: () => import('./commands/plan/init.ts'),
      },
      status: {
        summary: 'Show the state of a plan and the next command',
        load: () => import('./commands/plan/status.ts'),
      },
      list: { summary: 'List the plans of this project', load: () => import('./commands/plan/list.ts') },
      advance: { summary: 'Move a plan to its next phase', load: () => import('./commands/plan/advance.ts') },
      validate: {
        summary: 'Check an artifact: capability_map, physical_map or tasks',
        load: () => import('./commands/plan/validate.ts'),
      },
      'validate-tasks': {
        summary: "Record a verifier's verdict on the current tasks",
        load: () => import('./commands/plan/validate-tasks.ts'),
      },
      'load-tasks': {
        summary: 'Check and load the task files',
        load: () => import('./commands/plan/load-tasks.ts'),
      },
    },
  },
  execute: { summary: 'Run the tasks of an approved plan', load: () => import('./commands/execute.ts') },
  land: {
    summary: "Merge a plan's landed work into your checkout",
    load: () => import('./commands/land.ts'),
  },
  task: {
    summary: 'Work on tasks of an agent-led plan: ready, start, …',
    loadExamples: () => import('./commands/task/group.ts'),
    parts: {
      ready: {
        summary: 'List tasks that can start, most critical first',
        load: () => import('./commands/task/ready.ts'),
      },
      list: {
        summary: 'List the tasks of a plan and their states',
        load: () => import('./commands/task/list.ts'),
      },
      show: {
        summary: 'Show a task: files, criteria, result',
        load: () => import('./commands/task/show.ts'),
      },
      start: {
        summary: 'Claim a task and work on it in the target directory',
        load: () => import('./commands/task/start.ts'),
      },
      complete: {
        summary: 'Submit a task as done; Tutti checks it',
        load: () => import('./commands/task/complete.ts'),
      },
      widen: { summary: 'Add undeclared files to a task', load: () => import('./commands/task/widen.ts') },
      fail: {
        summary: 'Mark a task as failed and restore its files',
        load: () => import('./commands/task/fail.ts'),
      },
      retry: { summary: 'Reopen a task', load: () => import('./commands/task/retry.ts') },
      skip: { summary: 'Skip a task', load: () => import('./commands/task/skip.ts') },
    },
  },
  bundle: {
    summary: 'Bundle what an executor needs: generate, validate, …',
    loadExamples: () => import('./commands/bundle/group.ts'),
    parts: {
      generate: {
        summary: 'Write everything an executor needs to one file',
        load: () => import('./commands/bundle/generate.ts'),
      },
      'generate-ready': {
        summary: 'Generate bundles for all tasks that can start',
        load: () => import('./commands/bundle/generate-ready.ts'),
      },
      validate: {
        summary: 'Validate a bundle against its schema',
        load: () => import('./commands/bundle/validate.ts'),
      },
      'validate-integrity': {
        summary: 'Check whether a bundle is up to date',
        load: () => import('./commands/bundle/validate-integrity.ts'),
      },
      list: { summary: 'List bundles', load: () => import('./commands/bundle/list.ts') },
      clean: { summary: 'Delete all bundles', load: () => import('./commands/bundle/clean.ts') },
    },
  },
  checkpoint: {
    summary: 'Track tasks for crash recovery: create, recover, …',
    loadExamples: () => import('./commands/checkpoint/group.ts'),
    parts: {
      create: {
        summary: 'Record which tasks are about to start',
        load: () => import('./commands/checkpoint/create.ts'),
      },
      update: { summary: 'Record how a task ended', load: () => import('./commands/checkpoint/update.ts') },
      complete: {
        summary: 'Record that all tasks ended',
        load: () => import('./commands/checkpoint/complete.ts'),
      },
      status: { summary: 'Show the checkpoint', load: () => import('./commands/checkpoint/status.ts') },
      recover: {
        summary: 'Find ended and orphaned tasks after a crash',
        load: () => import('./commands/checkpoint/recover.ts'),
      },
      clear: { summary: 'Delete the checkpoint', load: () => import('./commands/checkpoint/clear.ts') },
    },
  },
  'check-halt': { summary: 'Check whether a plan is halted', load: () => import('./commands/check-halt.ts') },
  'confirm-halt': {
    summary: 'Record that a halted plan has no running tasks',
    load: () => import('./commands/confirm-halt.ts'),
  },
  'halt-status': {
    summary: 'Show when and why a plan was halted',
    load: () => import('./commands/halt-status.ts'),
  },
  log: { summary: "Append a line to a plan's activity.log", load: () => import('./commands/log.ts') },
  'log-tokens': {
    summary: "Add tokens and cost to a plan's total",
    load: () => import('./commands/log-tokens.ts'),
  },
  session: {
    summary: 'Run single agents: create, list, attach, kill, …',
    loadExamples: () => import('./commands/session/group.ts'),
    parts: {
      create: { summary: 'Start an agent with a prompt', load: () => import('./commands/session/create.ts') },
      list: { summary: 'List sessions and their totals', load: () => import('./commands/session/list.ts') },
      status: {
        summary: 'Show a session: activity, outcome, files',
        load: () => import('./commands/session/status.ts'),
      },
      attach: {
        summary: 'Watch a live session and send it messages',
        load: () => import('./commands/session/attach.ts'),
      },
      logs: {
        summary: 'Print what a session said and did',
        load: () => import('./commands/session/logs.ts'),
      },
      wait: {
        summary: 'Wait until sessions and their retries end',
        load: () => import('./commands/session/wait.ts'),
      },
      send: {
        summary: 'Send a message to a working agent',
        load: () => import('./commands/session/send.ts'),
      },
      continue: {
        summary: 'Continue the conversation of a session that has ended',
        load: () => import('./commands/session/continue.ts'),
      },
      kill: {
        summary: 'Kill a session and every process it started',
        load: () => import('./commands/session/kill.ts'),
      },
      archive: {
        summary: 'Move ended sessions to the archive',
        load: () => import('./commands/session/archive.ts'),
      },
      prune: {
        summary: 'Delete the files of old archived sessions',
        load: () => import('./commands/session/prune.ts'),
      },
      watchdog: {
        summary: 'Enforce session limits and record lost sessions',
        load: () => import('./commands/session/watchdog.ts'),
      },
      audit: {
        summary: 'Show what happened to sessions, and who asked for it',
        load: () => import('./commands/session/audit.ts'),
      },
    },
  },
  compose: {
    summary: 'Define layers of work: list, show, new, lint, exits',
    loadExamples: () => import('./commands/compose/group.ts'),
    parts: {
      list: {
        summary: 'List executors, orchestrators, coordinators and campaigns',
        load: () => import('./commands/compose/list.ts'),
      },
      show: {
        summary: 'Show a definition with its defaults',
        load: () => import('./commands/compose/show.ts'),
      },
      lint: {
        summary: 'Check definitions against the rules of their layers',
        load: () => import('./commands/compose/lint.ts'),
      },
      new: {
        summary: 'Create a definition from a template',
        load: () => import('./commands/compose/new.ts'),
      },
      exits: {
        summary: 'Show which layers raise and handle an exit code',
        load: () => import('./commands/compose/exits.ts'),
      },
    },
  },
  executor: {
    summary: 'Run one action of an executor until it is accepted',
    load: () => import('./commands/executor.ts'),
  },
  orchestrator: {
    summary: 'Run the stages of an orchestrator',
    load: () => import('./commands/orchestrator.ts'),
  },
  spawn: {
    summary: 'Run one agent for one turn and print one answer',
    load: () => import('./commands/spawn.ts'),
  },
  agents: { summary: 'List the agents of this project', load: () => import('./commands/agents.ts') },
  config: {
    summary: 'Show the settings in effect and where each comes from',
    load: () => import('./commands/config.ts'),
  },
  trust: {
    summary: "Review and trust this repository's settings and commands",
    load: () => import('./commands/trust.ts'),
  },
  allow: {
    summary: 'Delegate a decision to agents for a limited time',
    load: () => import('./commands/allow.ts'),
  },
  rebuild: {
    summary: "Rewrite a run's files from the database",
    load: () => import('./commands/rebuild.ts'),
  },
  recover: { summary: 'Restore a damaged or lost database', load: () => import('./commands/recover.ts') },
  service: {
    summary: 'Continue runs after login (starts the conductor)',
    loadExamples: () => import('./commands/service/group.ts'),
    parts: {
      install: {
        summary: 'Start the conductor of this project at every login',
        load: () => import('./commands/service/install.ts'),
      },
      uninstall: { summary: 'Remove the service', load: () => import('./commands/service/uninstall.ts') },
      status: {
        summary: 'Show whether the service is installed',
        load: () => import('./commands/service/status.ts'),
      },
    },
  },
  completions: {
    summary: 'Print a completion script for your shell',
    load: () => import('./commands/completions.ts'),
  },
  conductor: {
    summary: 'Advance all runs until only questions remain',
    load: () => import('./commands/conductor.ts'),
  },
};

/** Started by other commands; a person has no need to see it. */
export const hiddenCommand = 'conductor';

/** Every word that is a command, hidden ones too. */
export const knownCommands: readonly string[] = [...Object.keys(commands), ...shortcuts.keys()];

/** Those that a person may have meant. */
export const commandNames: readonly string[] = Object.keys(commands).filter((name) => name !== hiddenCommand);

/** The parts of commands that have some. */
export const partNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(commands).flatMap(([name, entry]) =>
    'parts' in entry ? [[name, Object.keys(entry.parts)]] : [],
  ),
);
