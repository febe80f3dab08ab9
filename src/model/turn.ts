import type { LimitKind } from './limit-pause.ts';
import type { Json } from '../lib/json.ts';
import { failure, type Failure } from './failure.ts';
import type { Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import type { Usage } from './usage.ts';

export type Tier = 'low' | 'medium' | 'high';
export const tiers: readonly Tier[] = ['low', 'medium', 'high'];

/** What a turn is for. It decides which tools an agent has whose own file names none. */
export type TurnRole = 'executor' | 'verifier' | 'planner';

/** What `ctx.session` is asked to do: one prompt answered by one agent process. JSON, because it is recorded. */
export interface SessionSpec {
  readonly agent: string;
  readonly driver: string;
  readonly tier: Tier;
  readonly systemPrompt: string;
  readonly prompt: string;
  /** What of the prompt is new to the conversation that it continues; absent: the prompt is said whole. */
  readonly news?: string;
  /** Beside a prompt that says only what is new: all of it, for a CLI that turns out to have lost the conversation. */
  readonly whole?: string;
  /** Absolute directory the agent works in. */
  readonly workspace: string;
  /** 1 for the first turn of a conversation. */
  readonly turn: number;
  /** Session to go on from. */
  readonly continues: string | null;
  /** What the CLI calls the conversation of that session; null where it has none. */
  readonly conversation: string | null;
  readonly result: 'required' | 'optional';
  /** Tools that a turn without a result must have used to count as work; absent: one. */
  readonly minTools?: number;
  /** Its agent may start sessions; absent: it may not. */
  readonly startsSessions?: true;
  readonly timeoutMs: number;
  readonly priority: number;
  readonly handoff: Handoff;
  /** Known at launch only: the folder that the result goes to, if it is not the session's. */
  readonly resultDir?: string;
  /** More of the same step follows at once: its slot is kept for that. */
  readonly goesOn?: boolean;
  /** Absent: an executor's. */
  readonly role?: TurnRole;
  /** Tools that the agent's own file names; absent: those of the role. */
  readonly tools?: readonly string[];
  /** The model that the agent's own file names; absent: that of the tier. */
  readonly model?: string;
}

/** What is said to an agent next, and in which conversation. */
export type Turn = Pick<SessionSpec, 'prompt' | 'news' | 'turn' | 'continues' | 'conversation'>;

/** Of the first turn of a conversation. */
export const beginning = { turn: 1, continues: null, conversation: null } as const;

/** A turn as its run has recorded it. */
export interface RecordedTurn extends Pick<SessionSpec, 'prompt' | 'continues'> {
  readonly key: string;
}

/**
 * `headless`: files only. `tmux`: the same, with a pane that shows it. `interactive`: the CLI's own terminal interface in
 * a pane, for people; the session follows the pane.
 */
export type SessionHost = 'headless' | 'tmux' | 'interactive';
export const sessionHosts: readonly SessionHost[] = ['headless', 'tmux', 'interactive'];

/** What a session is told and asked for beyond its prompt (seed C). */
export interface Handoff {
  readonly host: SessionHost;
  /** Further directories the agent may use, absolute. */
  readonly addDirs: readonly string[];
  readonly tags: readonly string[];
  /** The session inside which this one was created. */
  readonly parent: string | null;
  /** Who asked for it, for the audit. */
  readonly requester: string;
  /** JSON Schema of `result.json`; null: Tutti's own form, with a status. */
  readonly resultSchema: Json | null;
  /** Added to the agent's environment; absent: nothing. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Of sessions that a workflow starts by itself. */
export const workflowHandoff: Handoff = {
  host: 'headless',
  addDirs: [],
  tags: [],
  parent: null,
  requester: 'workflow',
  resultSchema: null,
};

/** Closed set of how a turn stopped; every driver maps its CLI's words to these. */
export type StopReason =
  | 'finished'
  | 'failed'
  | 'timeout'
  | 'killed'
  | 'over-quota'
  | 'crashed'
  | 'limit'
  | 'unavailable'
  /** The model refused the key or the sign-in, or the CLI has none. */
  | 'sign-in'
  | 'no-result';

/** The agent's own account (`result.json`): input, validated, never trusted. */
export interface AgentResult {
  readonly status: 'success' | 'failed' | 'blocked' | 'needs_refinement' | 'needs_escalation';
  readonly summary: string;
  readonly artifacts: readonly string[];
  readonly notes: readonly Json[];
  readonly questions: readonly Question[];
  readonly usage: Usage | null;
}

/** What a finished turn is recorded as. */
export interface TurnOutcome {
  readonly outcome: Outcome;
  readonly stop: StopReason;
  readonly sessionId: string;
  readonly result: AgentResult | null;
  /** Last words of the agent, for people; the whole is in its log. */
  readonly text: string;
  /** Tools that it used; a call that was denied is none. */
  readonly toolCalls: number;
  /** Calls that were denied; absent: none, or the log does not tell them from other denials. */
  readonly deniedCalls?: number;
  /** How often it was not permitted to use a tool. */
  readonly denials: number;
  /** Which tools those were; absent: none. */
  readonly deniedTools?: readonly string[];
  /** Each denied use with its path or command, in words; absent: none, or an earlier release recorded the turn. */
  readonly deniedUses?: readonly string[];
  /** How often the CLI asked its model again by itself; absent: never. */
  readonly retries?: number;
  /** What the CLI calls the conversation, for the session that goes on with it. */
  readonly conversation: string | null;
  readonly hookBlocks: number;
  readonly usage: Usage;
  readonly exitCode: number | null;
  readonly failure: Failure | null;
  /** Set when it continued the conversation of an attempt that vanished with its machine. */
  readonly recovered?: RecoveredTurn;
  /** When the usage limit that stopped it is over, if the CLI told. */
  readonly resetAt: number | null;
  /** What kind of limit stopped it; absent: a usage limit, or none. */
  readonly limitKind?: LimitKind;
  /** Digest of the result file that was read at its end; null: there was none. Absent: an earlier release read it. */
  readonly resultDigest?: string | null;
}

/** What a vanished attempt left behind. */
export interface RecoveredTurn {
  /** Its session. */
  readonly session: string;
  readonly conversation: string;
  /** Tool calls without a recorded result: each may have run. */
  readonly inFlight: readonly string[];
}

/** Null when the turn succeeded. */
export function failureOfTurn({ outcome, failure: told, result }: TurnOutcome): Failure | null {
  if (outcome === 'SUCCESS') return null;
  return told ?? failure('reported', result?.summary ?? 'the agent did not succeed', { outcome });
}

/** The turn as it is said to its agent: a CLI that continues the conversation hears only what is new. */
export function spokenTurn(spec: SessionSpec, conversation: 'remembers' | 'forgets'): SessionSpec {
  const { news, ...turn } = spec;
  const isKnown = conversation === 'remembers' && spec.continues !== null && spec.conversation !== null;
  return news === undefined || !isKnown ? turn : { ...turn, prompt: news, whole: spec.prompt };
}
