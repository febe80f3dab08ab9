import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { ancestorVariable } from '../../lib/process/ancestors.ts';
import type { Environment, Tutti } from '../tutti.ts';
import type { KnownSessions } from './find.ts';

/** Where a request comes from: a person, or an agent of a session of this or another project. */
export interface Origin {
  readonly depth: number;
  readonly traceId: string;
  /** The run whose budget pays. */
  readonly within: string | null;
  /** The session it comes from, if that is one of this project. */
  readonly parent: string | null;
  /** For the audit. */
  readonly requester: string;
}

/**
 * An agent could drop these variables to look like a person, so the processes that started this one are asked as well:
 * the launcher above it has them.
 */
export function originOf(
  { env, queries }: KnownSessions & Pick<Tutti, 'env'>,
  ancestor = ancestorVariable,
): Origin {
  const told = (name: string): string | null => env[name] ?? ancestor(name);
  const sessionId = told('TUTTI_SESSION_ID');
  const runId = told('TUTTI_RUN_ID');
  const parent = sessionId === null ? null : queries.sessions.one(sessionId);
  const traceId = told('TUTTI_TRACE_ID') ?? '';
  return {
    depth: parent?.depth ?? (Number(told('TUTTI_DEPTH') ?? 0) || 0),
    traceId: /^[0-9a-f]{16}$/.test(traceId) ? traceId : randomBytes(8).toString('hex'),
    within: parent?.runId ?? runId,
    parent: parent?.id ?? null,
    requester: sessionId === null ? `user:${userName(env)}` : `session:${sessionId.slice(0, 80)}`,
  };
}

function userName(env: Environment): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry, as in some containers.
    return env['USER'] ?? String(process.getuid?.() ?? 'unknown');
  }
}
