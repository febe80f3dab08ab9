import type { Json } from '../lib/json.ts';
import type { Tier } from './turn.ts';

/** The Codex CLI, as an operator sets it up. */
export interface CodexDriver {
  readonly type: 'codex';
  readonly program: string;
  /** Absent: what the turn's role needs. */
  readonly sandbox?: CodexSandbox;
  /** A tier that is not named here is left to the CLI. */
  readonly models: Readonly<Partial<Record<Tier, string>>>;
  /** Settings of the CLI that count for this driver alone; its own file is never changed. */
  readonly config: Readonly<Record<string, Json>>;
}

/** `danger-full-access` is no sandbox: it is never a default, and only an operator's configuration can ask for it. */
export type CodexSandbox = (typeof codexSandboxes)[number];
export const codexSandboxes = ['read-only', 'workspace-write', 'danger-full-access'] as const;
