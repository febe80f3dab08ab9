import * as z from 'zod';
import type { AgentConfig, Config, TmuxConfig, WorkspaceConfig } from '../config.ts';
import type { ResourceLimits } from '../limits.ts';
import { delegable } from '../decision.ts';
import { undeclaredPolicies } from '../plan/execute-input.ts';
import { autoSandbox, sandboxModes, type SandboxConfig } from '../sandbox.ts';
import { tiers } from '../turn.ts';
import { driverConfigOf, driversForm, variables } from './driver.ts';
import {
  argv,
  bytes,
  duration,
  filledText,
  jsonSchemaLink,
  list,
  members,
  oneOf,
  positiveAmount,
  present,
  safeName,
  wanted,
  wholeNumber,
} from './basic-shapes.ts';
import { pricesForm, pricesOf } from './prices.ts';

const agentForm = members({ driver: safeName().optional(), tier: oneOf(tiers).optional() });

/** `none` takes away a limit that a weaker layer sets. */
const noLimit = z.literal('none', wanted('"none"'));

const limitsForm = members({
  memory: z.union([noLimit, bytes], wanted('an amount such as "4GB", or "none"')).optional(),
  processes: z
    .union([noLimit, wholeNumber(8, 1_000_000)], wanted('a whole number from 8, or "none"'))
    .optional(),
  cpu: z.union([noLimit, wholeNumber(1, 100_000)], wanted('percent of one core, or "none"')).optional(),
  file_size: z.union([noLimit, bytes], wanted('an amount such as "1GB", or "none"')).optional(),
  disk_warn: bytes.optional(),
  disk_fail: bytes.optional(),
  total_disk_warn: bytes.optional(),
});

const writablePlace = filledText('a path').refine(
  (path) => (path.startsWith('/') || path.startsWith('~/')) && !path.split('/').includes('..'),
  'must be an absolute path or begin with ~/, without ".."',
);

/** `sandbox: workspace` is short for a mapping with that mode. */
const sandboxForm = z.union(
  [
    oneOf(sandboxModes),
    members({
      mode: oneOf(sandboxModes),
      write: list(writablePlace, 'a list of paths').optional(),
      domains: list(filledText('the name of a host'), 'a list of hosts').optional(),
    }),
  ],
  wanted(`one of ${sandboxModes.join(', ')}, or a mapping with mode, write and domains`),
);

const workspaceForm = members({
  setup: list(argv(), 'a list of commands').optional(),
  teardown: list(argv(), 'a list of commands').optional(),
  test_commands: list(
    filledText('a command as you type it, such as "npm test"'),
    'a list of commands as you type them, such as ["npm test"]',
  ).optional(),
  timeout: duration.optional(),
  undeclared: oneOf(undeclaredPolicies).optional(),
});

const firstTurnForm = members({
  tokens: wholeNumber(0, 1e9).optional(),
  cost_usd: positiveAmount().optional(),
});

/** Counts in the person's own file only. */
const delegateForm = z.partialRecord(
  oneOf(delegable),
  oneOf(['agents']),
  wanted(`a mapping of decisions (${delegable.join(', ')}) to "agents"`),
);

const tmuxForm = members({ socket: safeName().optional(), prefix: safeName().optional() });

/** `tutti.yaml`, of the project or of the user. Everything may be left out. */
export const configForm = members({
  $schema: jsonSchemaLink,
  driver: safeName().optional(),
  drivers: driversForm.optional(),
  agents: z.record(safeName(), agentForm, wanted('a mapping of agents by name')).optional(),
  env: variables.optional(),
  secrets: variables.optional(),
  max_sessions: wholeNumber(1, 1000).optional(),
  session_timeout: duration.optional(),
  max_depth: wholeNumber(0, 100).optional(),
  events_keep: duration.optional(),
  stall_after: duration.optional(),
  archive_keep: duration.optional(),
  host: oneOf(['headless', 'tmux']).optional(),
  limits: limitsForm.optional(),
  tmux: tmuxForm.optional(),
  sandbox: sandboxForm.optional(),
  workspace: workspaceForm.optional(),
  prices: pricesForm.optional(),
  first_turn: firstTurnForm.optional(),
  delegate: delegateForm.optional(),
});

export type ConfigForm = z.output<typeof configForm>;

/** What one file, the environment or the flags say; the layers are laid over each other. */
export type ConfigLayer = Partial<Omit<Config, 'limits' | 'tmux' | 'workspace'>> & {
  readonly limits?: Partial<ResourceLimits>;
  readonly tmux?: Partial<TmuxConfig>;
  readonly workspace?: Partial<WorkspaceConfig>;
};

export function configLayerOf(form: ConfigForm): ConfigLayer {
  return present({
    driver: form.driver,
    drivers: form.drivers && byName(form.drivers, driverConfigOf),
    agents: form.agents && byName(form.agents, (agent): AgentConfig => present(agent)),
    env: form.env,
    secrets: form.secrets,
    maxSessions: form.max_sessions,
    sessionTimeoutMs: form.session_timeout,
    maxDepth: form.max_depth,
    eventsKeepMs: form.events_keep,
    archiveKeepMs: form.archive_keep,
    host: form.host,
    totalDiskWarnBytes: form.limits?.total_disk_warn,
    limits: form.limits === undefined && form.stall_after === undefined ? undefined : limitsOf(form),
    tmux: form.tmux && present(form.tmux),
    sandbox: form.sandbox === undefined ? undefined : sandboxOf(form.sandbox),
    workspace: form.workspace && workspaceOf(form.workspace),
    prices: form.prices && pricesOf(form.prices),
    firstTurn: form.first_turn && {
      tokens: form.first_turn.tokens ?? 0,
      costUsd: form.first_turn.cost_usd ?? 0,
    },
  });
}

function limitsOf({ limits = {}, stall_after: stallMs }: ConfigForm): Partial<ResourceLimits> {
  return present({
    memoryBytes: orNone(limits.memory),
    processes: orNone(limits.processes),
    cpuPercent: orNone(limits.cpu),
    fileBytes: orNone(limits.file_size),
    diskWarnBytes: limits.disk_warn,
    diskFailBytes: limits.disk_fail,
    stallMs,
  });
}

function workspaceOf({
  timeout,
  test_commands,
  ...rest
}: z.output<typeof workspaceForm>): Partial<WorkspaceConfig> {
  return present({ ...rest, timeoutMs: timeout, testCommands: test_commands });
}

function sandboxOf(form: z.output<typeof sandboxForm>): SandboxConfig {
  if (typeof form === 'string') return { ...autoSandbox, mode: form };
  return { mode: form.mode, write: form.write ?? [], domains: form.domains ?? [] };
}

function orNone(value: number | 'none' | undefined): number | null | undefined {
  return value === 'none' ? null : value;
}

/** Without a prototype: a driver may be called `constructor`, and an agent that is not there must not be found. */
function byName<From, To>(
  from: Readonly<Record<string, From>>,
  convert: (from: From) => To,
): Record<string, To> {
  const to: Record<string, To> = Object.create(null);
  for (const [name, value] of Object.entries(from)) to[name] = convert(value);
  return to;
}
