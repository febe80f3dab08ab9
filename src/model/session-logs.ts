import type { ActivityFacts } from './activity.ts';
import type { Question } from './question.ts';
import type { Session } from './session.ts';
import type { SessionSpec } from './turn.ts';

/** What a session at work asks people. */
export interface PendingRequest {
  readonly number: number;
  readonly question: Question;
}

/** As much of a step as says which of its sessions are under way. */
export interface DescribedStep {
  readonly parts: readonly { readonly state: string; readonly sessionId: string | null }[];
}

/** What logs of sessions at work tell. Only their drivers can read them, and most commands meet no such session. */
export interface SessionLogs {
  /** What a session asks now, as its log says; null for one whose driver never asks. */
  pendingRequests(sessionId: string, spec: SessionSpec): Promise<readonly PendingRequest[] | null>;
  /** What the driver's protocol told last, if that was a wait. */
  lastWait(session: Session): ActivityFacts['told'];
  /** What the sessions of these steps do, looked up once: agent, model and last action, as in `coder · sonnet · Edit src/x.ts`. */
  doings(steps: readonly DescribedStep[]): Promise<(sessionId: string) => string>;
}

/** For a project in which no session is at work. */
export const noSessionLogs: SessionLogs = {
  pendingRequests: async () => null,
  lastWait: () => null,
  doings: async () => () => '',
};
