import { exitCodeOf } from '../../model/outcome.ts';
import type { Session } from '../../model/session.ts';
import { instant } from '../status/run-status.ts';
import type { Output } from '../../model/schemas/published.ts';

/** From its start; before that no time has passed, however long it waits for a slot or for other sessions. */
export function elapsedMs({ startedAt, endedAt }: Session, now: number): number {
  return startedAt === null ? 0 : (endedAt ?? now) - startedAt;
}

/** What a row alone tells: the published form of `tutti session list --json`. */
export function sessionRowJson(session: Session): Omit<Output<'session-row'>, 'question'> {
  const { outcome, usage } = session;
  return {
    session_id: session.id,
    agent: session.agent,
    status: session.status,
    outcome,
    outcome_code: outcome === null ? null : exitCodeOf(outcome),
    lost: session.lost,
    created_at: instant(session.createdAt),
    started_at: instant(session.startedAt),
    completed_at: instant(session.endedAt),
    exit_code: session.exitCode,
    parent_session: session.parent,
    tags: session.tags,
    run_id: session.runId,
    step: session.key,
    attempt: session.attempt,
    turn: session.turn,
    continues: session.continues,
    driver: session.driver,
    tier: session.tier,
    host: session.host,
    requester: session.requester,
    usage:
      usage === null
        ? null
        : {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            cost_usd: usage.costUsd,
            priced_as_of: usage.pricedAsOf ?? null,
          },
    model: session.model,
    archived_at: instant(session.archivedAt),
  };
}
