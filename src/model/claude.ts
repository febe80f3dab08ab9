import type { Tier } from './turn.ts';

/** The Claude CLI, as an operator sets it up. */
export interface ClaudeDriver {
  readonly type: 'claude';
  readonly program: string;
  /** Absent: what is not allowed is refused, and a person at the terminal is asked. */
  readonly permissionMode?: PermissionMode;
  /** A person is asked for every tool that is not allowed; absent: it is refused. */
  readonly asks?: true;
  /** Absent: what the turn's role needs, or only looking where a person is asked. */
  readonly allowedTools?: readonly string[];
  /** A tier that is not named here is left to the CLI. */
  readonly models: Readonly<Partial<Record<Tier, string>>>;
  /** How often the model may be asked in one turn. */
  readonly maxTurns?: number;
  /** Looked at after each answer of the model, so the last one may go beyond it. */
  readonly maxBudgetUsd?: number;
  /** A file with MCP servers; those and no others are used. */
  readonly mcpConfig?: string;
  /** A file with settings, such as hooks, that count besides the person's and the project's own. */
  readonly settings?: string;
}

/** `bypass` allows everything: it is never a default, and only an operator's configuration can ask for it. */
export type PermissionMode = (typeof permissionModes)[number];
export const permissionModes = ['default', 'acceptEdits', 'dontAsk', 'plan', 'bypass'] as const;
