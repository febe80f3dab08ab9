import { oneLine } from '../../lib/terminal-text.ts';
import { stepIdOf } from '../../model/key.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { SessionSpec, TurnOutcome } from '../../model/turn.ts';
import { logActivity, type Activity } from '../plan-files/activity-log.ts';
import { planPathsIn } from '../plan-files/plan-paths.ts';
import type { HostParts } from './host-parts.ts';

/** Logs the launch of an agent that works for a plan to the plan's own log. */
export function logTurnStart(parts: HostParts, attempt: LaunchedAttempt, spec: SessionSpec): Promise<void> {
  const message = `launching ${spec.agent} for ${stepIdOf(attempt.key)} (session ${attempt.sessionId ?? ''})`;
  return logTurn(parts, spec, { level: 'INFO', agent: 'orchestrator', event: 'spawn', message });
}

/** Logs how the turn ended, with the agent's own summary. */
export function logTurnEnd(
  parts: HostParts,
  attempt: LaunchedAttempt,
  spec: SessionSpec,
  { outcome, result, failure }: TurnOutcome,
): Promise<void> {
  const said = oneLine(failure?.message ?? result?.summary ?? '', 300);
  const message = `${stepIdOf(attempt.key)}: ${outcome} (session ${attempt.sessionId ?? ''})${said === '' ? '' : `: ${said}`}`;
  const level = outcome === 'SUCCESS' ? 'INFO' : 'WARN';
  return logTurn(parts, spec, { level, agent: spec.agent, event: 'end', message });
}

/** A log that cannot be written stops no turn. */
async function logTurn(parts: HostParts, { handoff }: SessionSpec, activity: Activity): Promise<void> {
  const planDir = handoff.env?.['TUTTI_PLAN_DIR'];
  if (planDir === undefined) return;
  await logActivity(parts, planPathsIn(planDir), activity).catch(() => undefined);
}
