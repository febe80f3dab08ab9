import type { MetLimit } from './limit-pause.ts';
import type { Json } from '../lib/json.ts';
import type { PermissionAnswer, PermissionRequest } from './permission.ts';
import type { ResultContract } from './result-contract.ts';
import type { Restraint, WorkspaceTrust } from './trust.ts';
import type { StopReason } from './turn.ts';
import type { SessionSpec } from './turn.ts';
import type { Usage } from './usage.ts';
import type { WorkspaceChanges } from './workspace-changes.ts';

/** Where a session belongs. */
interface SessionPlace {
  readonly sessionId: string;
  readonly sessionDir: string;
  readonly projectDir: string;
}

/** What a driver needs to know about where the turn will run. */
export interface TurnPlace extends SessionPlace {
  readonly contract: ResultContract;
  /** What the repository there brings, and whether a person trusts it. */
  readonly trust: WorkspaceTrust;
}

/** What to run. The runtime runs it: a driver spawns nothing. */
export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]];
  /** Added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes for the agent's standard input. */
  readonly stdin: string;
  /** `shell`: one-shot, files only. `host`: a small process that outlives Tutti holds the pipes. */
  readonly launcher: 'shell' | 'host';
}

/** One vocabulary for what all agents do while they work. */
export type DriverEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly target: string }
  /** A call that was told before did not succeed; a denied one is told as `denied`. */
  | {
      readonly type: 'tool-failed';
      readonly name: string;
      readonly target: string;
      readonly reason: string;
    }
  /** Files that it wrote, as it names them. */
  | { readonly type: 'files'; readonly paths: readonly string[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The CLI's own name of the conversation, by which a later session goes on with it. */
  | { readonly type: 'conversation'; readonly id: string }
  /** For a person. With a request, it goes on when that is answered; without one, only it knows. */
  | { readonly type: 'waiting'; readonly why: string; readonly request?: PermissionRequest }
  | { readonly type: 'answered'; readonly request: number; readonly answer: PermissionAnswer }
  | ({ readonly type: 'limit' } & MetLimit)
  /** The model could not be reached, and the CLI tries again by itself. */
  | { readonly type: 'retrying'; readonly reason: string }
  /** The model refused the key or the sign-in (401, 403), or the CLI has none: trying again cannot help. */
  | { readonly type: 'sign-in'; readonly reason: string }
  /** It was not permitted to use a tool. */
  | {
      readonly type: 'denied';
      readonly tool: string;
      /** The path or command that it was to be used on; absent: the log does not say. */
      readonly target?: string;
      readonly reason: string;
      /** It ended a call that was told before; absent: something within one, or the log does not say. */
      readonly call?: true;
    }
  /** A hook of the project or the person kept it from something. */
  | { readonly type: 'blocked'; readonly tool: string; readonly reason: string }
  | { readonly type: 'problem'; readonly message: string };

/** Why a session was ended: its time was over, somebody wanted it, or it filled its disk quota. */
export type Ending = 'timeout' | 'killed' | 'quota';

/** How a process ended, as its launcher recorded it. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the launcher or a person ended it, if so. */
  readonly ended: Ending | null;
}

/** Reads a session's log from byte 0; pure, so that reading it again gives the same. */
export interface DriverReader {
  line(line: string): readonly DriverEvent[];
  /** `success` only when every success condition of that CLI holds. */
  stop(end: ProcessEnd): StopReason;
  /** Once everything was read: why the CLI refused whatever the agent tried, with what changes that. Null: it did not. */
  helpless?(): string | null;
  /** Once everything was read: whether this log, unlike others of its driver, tells no tools. */
  untold?(): boolean;
  /** Once everything was read: tool calls whose result was not told, in words; absent: the log does not tell. */
  inFlight?(): readonly string[];
  /** Once everything was read: what the CLI handed over as a result in a way of its own. Null: nothing. */
  handedOver?(): Json;
  /** Once everything was read: why the CLI refused the last result that the model handed over. Null: it refused none. */
  refusedResult?(): string | null;
}

/** The CLI's own terminal interface, started in a pane for a person. */
export interface InteractivePlan {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Typed into the interface once it is ready, and counted as taken when the CLI says so. */
  readonly prompt: string;
}

/** What a CLI finds by itself in the folder it works in: it need not be told that once more. */
export interface OwnReading {
  /** `CLAUDE.md`: that file, and AGENTS.md only where there is none. */
  readonly instructions: 'AGENTS.md' | 'CLAUDE.md' | 'none';
  /** Folders of skills, such as `.agents/skills`. */
  readonly skills: readonly string[];
}

/** A turn that is over and was read, for a driver that keeps it. */
export interface ReadTurn {
  readonly spec: SessionSpec;
  readonly place: SessionPlace;
  readonly runId: string;
  readonly step: string;
  readonly attempt: number;
  readonly end: ProcessEnd;
  readonly stop: StopReason;
  readonly events: readonly DriverEvent[];
  /** Text of its `result.json`; null where there is none that can be read. */
  readonly result: string | null;
  readonly changes: WorkspaceChanges;
  readonly at: number;
  /** Takes secrets out of what is to be kept. */
  redact(text: string): string;
}

export interface AgentDriver extends Restraint {
  readonly name: string;
  /** Whether something can be said to it while it works. */
  readonly steering: 'input' | 'none';
  /** Whether a later session can go on with its conversation; where not, every prompt must say everything. */
  readonly resumes: boolean;
  /** Whether it may ask a person for permission while it works, and takes the answer as a message; absent: no. */
  readonly asks?: true;
  /** Whether its output tells which tools it used: only then does their absence mean anything. */
  readonly tellsTools: boolean;
  /** What its output tells about spending; absent: nothing. `cost` includes the tokens. */
  readonly tellsUsage?: 'cost' | 'tokens';
  /** Of what it tells that; absent: of the session alone. */
  readonly usageSpan?: 'conversation';
  /** Absent: nothing. */
  readonly reads?: OwnReading;
  /** What a person does when the model refuses the key or the sign-in: the variable and the command; absent: unknown. */
  readonly signInAdvice?: string;
  /** Its setting in `tutti.yaml` that permits tools; absent: it has none. */
  readonly permissionSetting?: 'allowed_tools' | 'permissions' | 'sandbox';
  /** Null: ready. Otherwise one sentence with the install command. */
  missing(): string | null;
  /** The schema that its CLI binds the result of such a turn to; null or absent: the agent writes a file. */
  bindsResult?(spec: SessionSpec): Json | null;
  plan(spec: SessionSpec, place: TurnPlace): LaunchPlan;
  /** Null: this CLI has no interface that tells what it does. */
  interactive(spec: SessionSpec, place: TurnPlace): InteractivePlan | null;
  reader(): DriverReader;
  /**
   * Where present, it is told of each turn once that was read; again after a crash, so telling twice must do no harm.
   * Null, or a sentence why the turn could not be kept.
   */
  ended?(turn: ReadTurn): string | null;
}
