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
  reads: false,
  parameters: {
    flags: {
      status: statusFlag,
      tag: tagFlag,
      olderThan: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only sessions that ended longer ago',
        placeholder: 'TIME',
        optional: true,
      },
      all: { kind: 'boolean', brief: 'All ended sessions', default: false, withNegated: false },
      json: jsonFlag,
    },
    positional: { kind: 'tuple', parameters: [{ ...sessionArgument, optional: true }] },
  },
  brief: 'Move ended sessions to the archive',
  about:
    'A session is archived if it has ended, is recorded, has no living process, and no other session needs it. Otherwise the\n' +
    'command says why not. Exits with 12 if an ended session could not be archived.',
  examples: [
    ['tutti session archive ID', 'one'],
    ['tutti session archive --status COMPLETED --older-than 24h', 'successful sessions, after a day'],
    ['tutti session archive --all', 'all ended sessions'],
  ],
});

export const prune = command<PruneFlags, []>({
  load: async () => (await import('../commands/session/prune.ts')).prune,
  reads: false,
  parameters: {
    flags: {
      olderThan: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only sessions that ended longer ago; at least archive_keep of tutti.yaml',
        placeholder: 'TIME',
        optional: true,
      },
      dryRun: { kind: 'boolean', brief: 'Print what would be deleted', default: false, withNegated: false },
      json: jsonFlag,
    },
  },
  brief: 'Delete the files of old archived sessions',
  about: 'Deletes only below .tutti/archive/sessions. The database keeps the outcomes.',
  examples: [
    ['tutti session prune --dry-run', 'what would be deleted'],
    ['tutti session prune --older-than 90d', 'keep sessions for longer than configured'],
  ],
});

export const watchdog = command<WatchdogFlags, []>({
  load: async () => (await import('../commands/session/watchdog.ts')).watchdog,
  reads: false,
  parameters: {
    flags: {
      once: {
        kind: 'boolean',
        brief: 'Check once (the default)',
        default: false,
        withNegated: false,
      },
      every: {
        kind: 'parsed',
        parse: duration,
        brief: 'Repeat the check at this interval',
        placeholder: 'TIME',
        optional: true,
      },
      json: jsonFlag,
    },
  },
  brief: 'Enforce session limits and record lost sessions',
  about:
    'Kills sessions past their deadline or over their disk quota, reports stalls, records the end of lost sessions, and names\n' +
    'inconsistencies. A conductor does the same by itself. Exits with 0 with or without actions.',
  examples: [
    ['tutti session watchdog', 'check once'],
    ['tutti session watchdog --every 60s', 'until Ctrl-C'],
    ['tutti session watchdog --json', 'the actions, for a program'],
  ],
});

export const audit = command<AuditFlags, []>({
  load: async () => (await import('../commands/session/audit.ts')).audit,
  reads: true,
  parameters: {
    flags: {
      since: {
        kind: 'parsed',
        parse: duration,
        brief: 'Only events within this time',
        placeholder: 'TIME',
        optional: true,
      },
      event: {
        kind: 'parsed',
        parse: oneOf(auditKinds),
        brief: `Only events of this kind: ${auditKinds.join(', ')}`,
        placeholder: 'KIND',
        optional: true,
        proposeCompletions: (partial) => auditKinds.filter((kind) => kind.startsWith(partial)),
      },
      session: { ...sessionArgument, kind: 'parsed', brief: 'Only events of this session', optional: true },
      json: jsonFlag,
    },
  },
  brief: 'Show what happened to sessions, and who asked for it',
  about:
    'Newest last, from the database. With --json, one object per line: seq, at, event, session_id, level, message, and\n' +
    'members of the event. .tutti/logs/orchestrator.log is a copy for people.',
  examples: [
    ['tutti session audit --since 1d', 'the last day'],
    ['tutti session audit --event kill --json', 'who killed which session, for a program'],
    ['grep Timeout .tutti/logs/orchestrator.log', 'the same from the log'],
  ],
});
