import type { Tier } from './turn.ts';

/** An agent that speaks the Agent Client Protocol, as an operator sets it up. */
export interface AcpDriver {
  readonly type: 'acp';
  /** One that is known, perhaps with another program; or any other by its command. */
  readonly agent:
    | { readonly preset: AcpPreset; readonly program?: string }
    | { readonly command: readonly [string, ...string[]] };
  readonly models: Readonly<Partial<Record<Tier, string>>>;
  /** One of the modes that the agent offers. */
  readonly mode?: string;
  /** What the operator decided; the turn's role decides the rest. */
  readonly rules: Partial<PermissionRules>;
  readonly quietMs: number;
}

/** Of an agent whose setup says nothing else. A silent agent is given up long after a model has thought. */
export const acpDefaults = { rules: {}, quietMs: 10 * 60_000 } as const;

export type AcpPreset = (typeof acpPresets)[number];
export const acpPresets = ['gemini', 'opencode', 'claude-agent-acp', 'codex-acp'] as const;

/** What a tool of an agent does, in the words of the Agent Client Protocol. */
export type ToolKind = (typeof toolKinds)[number];
export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;

/** `ask`: a person answers while it waits. */
export type PermissionRule = (typeof permissionRules)[number];
export const permissionRules = ['allow', 'deny', 'ask'] as const;

export type PermissionRules = Readonly<Record<ToolKind, PermissionRule>>;

/** Looking changes nothing; everything else is for the operator to allow. */
export const cautiousRules: PermissionRules = {
  read: 'allow',
  search: 'allow',
  // No agent asks before it thinks: this is what they call a sub-agent.
  think: 'deny',
  edit: 'deny',
  delete: 'deny',
  move: 'deny',
  execute: 'deny',
  fetch: 'deny',
  switch_mode: 'deny',
  other: 'deny',
};

/** What the client program reads: one turn with one agent. Written by the driver, in the session's folder. */
export interface AcpSpec {
  /** The agent. */
  readonly argv: readonly [string, ...string[]];
  readonly workspace: string;
  /** Whether it is offered to read and write files through the client; one agent cannot make a new file that way. */
  readonly offersFiles: boolean;
  /** Where it may do so; the workspace is among them. */
  readonly folders: readonly string[];
  /** May be written whatever the rules say: an agent that cannot report has worked for nothing. */
  readonly resultFile: string;
  /** For a new conversation: who it is, then what to do. */
  readonly prompt: string;
  /** Where the conversation goes on, who it is was said before. */
  readonly nextPrompt: string;
  readonly conversation: string | null;
  readonly mode: string | null;
  readonly model: string | null;
  readonly rules: PermissionRules;
  /** Folders that it may change; an edit anywhere else is denied, whatever the rules say. */
  readonly writable: readonly string[];
  /** `planning`: only commands that a planner needs, and none that writes. */
  readonly commands: 'any' | 'planning';
  /** Whether the tokens that it tells are those of the whole turn. */
  readonly tellsTokens: boolean;
  /** How long it may say nothing while no tool runs and nobody is asked. */
  readonly quietMs: number;
  /** A pattern of the lines it prints when its model did not answer and it tries again without a word. */
  readonly complaint: string | null;
}

/** How the client program ends. Only the first is a success. */
export const acpExits = {
  end_turn: 0,
  failed: 1,
  max_tokens: 20,
  max_turn_requests: 21,
  refusal: 22,
  cancelled: 23,
  /** It ended its turn and had neither said nor done anything. */
  empty: 24,
  limit: 30,
  quiet: 31,
  /** The agent's process ended in the middle. */
  gone: 32,
  sign_in: 33,
  /** It does not speak the protocol. */
  protocol: 34,
  unavailable: 127,
} as const;

export type AcpEnd = keyof typeof acpExits;
