import type { Session } from '../../src/model/session.ts';

/** A session that runs since the beginning of time. */
export function sessionOf(id: string, change: Partial<Session> = {}): Session {
  return {
    id,
    runId: id,
    key: 'session@1',
    attempt: 1,
    agent: 'worker',
    driver: 'mine',
    tier: 'medium',
    status: 'RUNNING',
    depth: 1,
    turn: 1,
    continues: null,
    host: 'headless',
    parent: null,
    requester: 'user:ada',
    tags: [],
    createdAt: 0,
    startedAt: 0,
    endedAt: null,
    exitCode: null,
    outcome: null,
    lost: false,
    usage: null,
    model: null,
    archivedAt: null,
    prunedAt: null,
    ...change,
  };
}
