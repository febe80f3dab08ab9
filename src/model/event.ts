import type { Json } from '../lib/json.ts';
import type { Decision } from './decision.ts';
import type { EntryKind } from './entry.ts';
import type { Outcome } from './outcome.ts';
import type { PlanPhase } from './plan/phase.ts';
import type { TaskState } from './plan/task-state.ts';
import type { SessionStatus } from './session.ts';

/** A change of state, as people and programs read it. Written in the transaction that made the change. */
export type Event =
  | { readonly type: 'run.started'; readonly workflow: string }
  | { readonly type: 'run.amended' }
  | { readonly type: 'run.reopened'; readonly steps: readonly string[] }
  | { readonly type: 'run.resumed' }
  | { readonly type: 'run.halting'; readonly reason: string }
  | { readonly type: 'run.halted' }
  | { readonly type: 'run.cancelled' }
  | { readonly type: 'run.ended'; readonly outcome: Outcome; readonly message: string | null }
  | { readonly type: 'step.opened'; readonly key: string; readonly kind: EntryKind; readonly attempt: number }
  | {
      readonly type: 'step.launched';
      readonly key: string;
      readonly kind: EntryKind;
      readonly attempt: number;
      readonly session: string | null;
    }
  | {
      readonly type: 'step.ended';
      readonly key: string;
      readonly kind: EntryKind;
      readonly attempt: number;
      readonly state: 'done' | 'failed' | 'lost' | 'dropped';
      readonly outcome: Outcome;
      readonly message: string | null;
      /** A turn whose result asks a person something, and that says it is blocked until then. */
      readonly asks?: true;
      /** A command that ended well, and whose gates are judged next. */
      readonly gated?: true;
    }
  | {
      readonly type: 'step.retrying';
      readonly key: string;
      readonly attempt: number;
      readonly message: string;
    }
  | { readonly type: 'question.asked'; readonly id: string; readonly key: string; readonly text: string }
  | { readonly type: 'question.answered'; readonly key: string; readonly by: string }
  | { readonly type: 'plan.changed'; readonly plan: string; readonly phase: PlanPhase }
  | {
      readonly type: 'task.changed';
      readonly plan: string;
      readonly task: string;
      readonly state: TaskState['at'];
    }
  | SessionEvent
  | DecisionEvent
  /** Emitted by workflow code (`ctx.emit`). */
  | { readonly type: 'note'; readonly name: string; readonly data: Json };

/** What the audit tells. */
export type AuditEvent = SessionEvent | DecisionEvent;

/** A decision that only people may make, made or refused. */
export type DecisionEvent =
  | {
      readonly type: 'decision.made';
      readonly decision: Decision;
      /** What was decided on. */
      readonly about: string;
      readonly by: string;
      /** The session of an agent that a person left the decision to. */
      readonly session: string | null;
    }
  | {
      readonly type: 'decision.refused';
      readonly decision: Decision;
      readonly about: string;
      readonly by: string;
      /** What gave the agent away. */
      readonly sign: string;
      readonly session: string | null;
    };

/** What is told about sessions. */
export type SessionEvent =
  | {
      readonly type: 'session.created';
      readonly session: string;
      readonly agent: string;
      readonly requester: string;
    }
  | { readonly type: 'session.began'; readonly session: string }
  | {
      readonly type: 'session.ended';
      readonly session: string;
      readonly from: SessionStatus;
      readonly status: SessionStatus;
      readonly outcome: Outcome;
      readonly exitCode: number | null;
    }
  /** Somebody wants it to end. */
  | {
      readonly type: 'session.killed';
      readonly session: string;
      readonly reason: string;
      readonly by: string;
    }
  /** A quota or a ceiling stood in the way, and nothing was created. */
  | {
      readonly type: 'session.refused';
      readonly agent: string;
      readonly requester: string;
      readonly message: string;
    }
  | {
      readonly type: 'session.warned';
      readonly session: string | null;
      readonly about: SessionWarning;
      readonly message: string;
    }
  /** A hook of the project kept the agent from something. */
  | { readonly type: 'session.blocked'; readonly session: string; readonly message: string }
  /** Which sandbox the sessions of a driver have in this run, and why not a better one. */
  | { readonly type: 'session.sandbox'; readonly about: string; readonly message: string }
  /** An agent's file names a model that the CLI does not have, and which one is used instead. */
  | { readonly type: 'session.model'; readonly about: string; readonly message: string }
  | { readonly type: 'session.archived'; readonly session: string }
  | { readonly type: 'session.pruned'; readonly session: string };

export const sessionWarnings = [
  'lifetime',
  'stall',
  'disk',
  'dead',
  'stale',
  'limits',
  'late-result',
  'put-aside',
  'overwritten',
] as const;

export type SessionWarning = (typeof sessionWarnings)[number];

/** An event with its place in the feed. */
export interface FeedEvent {
  readonly seq: number;
  readonly at: number;
  readonly runId: string;
  readonly event: Event;
}

/** Emitted by workflow code under a key, so that a replay does not tell it twice. */
export interface EmittedEvent {
  readonly key: string;
  readonly name: string;
  readonly data: Json;
}
