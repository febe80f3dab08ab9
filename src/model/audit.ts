import { oneLine } from '../lib/terminal-text.ts';
import type { AuditEvent } from './event.ts';
import type { Outcome } from './outcome.ts';

/** What people look for in the audit. */
export type AuditKind =
  | 'create'
  | 'transition'
  | 'kill'
  | 'quota'
  | 'warn'
  | 'hook'
  | 'archive'
  | 'prune'
  | 'decision';

const types: Readonly<Record<AuditKind, readonly AuditEvent['type'][]>> = {
  create: ['session.created', 'session.sandbox', 'session.model'],
  transition: ['session.began', 'session.ended'],
  kill: ['session.killed'],
  quota: ['session.refused'],
  warn: ['session.warned'],
  hook: ['session.blocked'],
  archive: ['session.archived'],
  prune: ['session.pruned'],
  decision: ['decision.made', 'decision.refused'],
};

export const auditKinds: readonly AuditKind[] = [
  'create',
  'transition',
  'kill',
  'quota',
  'warn',
  'hook',
  'archive',
  'prune',
  'decision',
];

export function typesOfKind(kind: AuditKind): readonly AuditEvent['type'][] {
  return types[kind];
}

export interface AuditLine {
  readonly kind: AuditKind;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly session: string | null;
  /** One line: what agents and people wrote into a reason cannot begin another. */
  readonly message: string;
}

export function auditLine(event: AuditEvent): AuditLine {
  switch (event.type) {
    case 'session.created': {
      const { session, agent, requester } = event;
      const task = `.tutti/sessions/${session}/prompt.md`;
      const message = `Session created: ${session} (agent ${agent}, requester ${requester}, task ${task})`;
      return line('create', 'INFO', session, message);
    }
    case 'session.sandbox':
    case 'session.model':
      return line('create', 'INFO', null, `Sessions: ${event.message} (${event.about})`);
    case 'session.began':
      return line('transition', 'INFO', event.session, `Session ${event.session}: CREATED → RUNNING`);
    case 'session.ended': {
      const { session, from, status, outcome, exitCode } = event;
      const message = `Session ${session}: ${from} → ${status} (${why(outcome)}, exit code ${exitCode ?? 'none'})`;
      return line('transition', levelOf(status, outcome), session, message);
    }
    case 'session.killed': {
      const { session, by, reason } = event;
      return line('kill', 'WARN', session, `Session ${session} killed by ${by}: ${reason}`);
    }
    case 'session.refused': {
      const { agent, requester, message } = event;
      return line('quota', 'WARN', null, `Quota: ${message} (agent ${agent}, requester ${requester})`);
    }
    case 'session.warned': {
      const { session, message } = event;
      return line(
        'warn',
        'WARN',
        session,
        `${session === null ? 'Sessions' : `Session ${session}`}: ${message}`,
      );
    }
    case 'session.blocked':
      return line(
        'hook',
        'WARN',
        event.session,
        `Session ${event.session}: a hook blocked it: ${event.message}`,
      );
    case 'session.archived':
      return line('archive', 'INFO', event.session, `Session ${event.session} archived`);
    case 'session.pruned':
      return line('prune', 'INFO', event.session, `Session ${event.session} pruned`);
    case 'decision.made': {
      const { decision, about, by, session } = event;
      return line('decision', 'INFO', session, `Decision: ${decision} (${about}), by ${by}`);
    }
    case 'decision.refused': {
      const { decision, about, by, sign, session } = event;
      const message = `Decision refused: ${decision} (${about}), asked for by ${by} (${sign})`;
      return line('decision', 'WARN', session, message);
    }
  }
}

/** `[2025-11-18T15:30:42Z] [INFO] …`, as it stands in `orchestrator.log`. */
export function auditText(at: number, event: AuditEvent): string {
  const { level, message } = auditLine(event);
  const instant = new Date(at).toISOString().replace(/\.\d+/, '');
  return `[${instant}] [${level}] ${message}\n`;
}

/** People look for timeouts with `grep Timeout`. */
function why(outcome: Outcome): string {
  return outcome === 'TIMEOUT' ? 'Timeout, outcome TIMEOUT' : `outcome ${outcome}`;
}

function levelOf(status: string, outcome: Outcome): AuditLine['level'] {
  if (status === 'KILLED') return 'WARN';
  return outcome === 'SUCCESS' ? 'INFO' : 'ERROR';
}

const longest = 1000;

function line(
  kind: AuditKind,
  level: AuditLine['level'],
  session: string | null,
  message: string,
): AuditLine {
  return { kind, level, session, message: oneLine(message, longest) };
}
