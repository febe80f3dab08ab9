import { auditKinds } from '../../model/audit.ts';
import { sessionArgument } from '../arguments.ts';
import { command, jsonFlag } from '../command.ts';
import type { ArchiveFlags } from '../commands/session/archive.ts';
import type { AuditFlags } from '../commands/session/audit.ts';
import type { PruneFlags } from '../commands/session/prune.ts';
import type { WatchdogFlags } from '../commands/session/watchdog.ts';
import { duration, oneOf } from '../parsers.ts';
import { statusFlag, tagFlag } from './session-flags.ts';

export const archive = command<ArchiveFlags, [id?: string]>({
  load: async () => (await import('../commands/session/archive.ts')).archive,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      olderThan: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only those that ended longer ago',
        placeholder: 'TIME',
        optional: true,
      },
      all: { kind: 'boolean', brief: 'Everything that is over', default: false, withNegated: false },
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [{ ...sessionArgument, optional: true }] },
  },
  brief: 'Move sessions that are over into the archive',
  about:
    'Only what has ended, is recorded, has no living process and is needed by nobody. Anything else stays, and says why;\n' +
    'with several, the others go on. Code 12 when one that has ended stays.',
  examples: [
    ['tutti session archive ID', 'one'],
    ['tutti session archive --status COMPLETED --older-than 24h', 'those that went well, after a day'],
    ['tutti session archive --all', 'everything that is over'],
  ],
});

export const prune = command<PruneFlags, []>({
  load: async () => (await import('../commands/session/prune.ts')).prune,
  parameters: {
    flags: {
      olderThan: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only those that ended longer ago; never less than archive_keep in tutti.yaml',
        placeholder: 'TIME',
        optional: true,
      },
      dryRun: { kind: 'boolean', brief: 'Only say what would go', default: false, withNegated: false },
      json: jsonFlag,
    },
  },
  brief: 'Remove archived sessions whose time is over',
  about: 'For good, and only from .tutti/archive/sessions. What became of them stays in the database.',
  examples: [
    ['tutti session prune --dry-run', 'what would go'],
    ['tutti session prune --older-than 90d', 'keep more than the configuration says'],
  ],
});

export const watchdog = command<WatchdogFlags, []>({
  load: async () => (await import('../commands/session/watchdog.ts')).watchdog,
  parameters: {
    flags: {
      once: {
        kind: 'boolean',
        brief: 'One look, and no more (the default)',
        default: false,
        withNegated: false,
      },
      every: {
        kind: 'parsed',
        parse: duration,
        brief: 'Look again and again, this often',
        placeholder: 'TIME',
        optional: true,
      },
      json: jsonFlag,
    },
  },
  brief: 'See that sessions keep to their limits, and mend what can be mended',
  about:
    'Ends what is past its deadline or over its disk quota, tells stalls, records the end of what vanished, and names what\n' +
    'does not fit together. A conductor does the same by itself. Code 0 also when something was done.',
  examples: [
    ['tutti session watchdog', 'one look'],
    ['tutti session watchdog --every 60s', 'until Ctrl-C'],
    ['tutti session watchdog --json', 'what was done, for a program'],
  ],
});

export const audit = command<AuditFlags, []>({
  load: async () => (await import('../commands/session/audit.ts')).audit,
  parameters: {
    flags: {
      since: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only what happened within this time',
        placeholder: 'TIME',
        optional: true,
      },
      event: {
        kind: 'parsed',
        parse: oneOf(auditKinds),
        brief: `Only these: ${auditKinds.join(', ')}`,
        placeholder: 'KIND',
        optional: true,
        proposeCompletions: (partial) => auditKinds.filter((kind) => kind.startsWith(partial)),
      },
      session: { ...sessionArgument, kind: 'parsed', brief: 'Only of this session', optional: true },
      json: jsonFlag,
    },
  },
  brief: 'Tell what happened to sessions, and who wanted it',
  about:
    'The newest last, from the database. With --json one object a line: seq, at, event, session_id, level, message, and what\n' +
    'the event knows. .tutti/logs/orchestrator.log is a copy for people.',
  examples: [
    ['tutti session audit --since 1d', 'the last day'],
    ['tutti session audit --event kill --json', 'who killed what, for a program'],
    ['grep Timeout .tutti/logs/orchestrator.log', 'the same from the log'],
  ],
});
