/**
 * `workspace`: everything can be read, and only the places of the session written. `strict`: besides, only named hosts of
 * the network can be reached, and the person's own folders not be read.
 */
export const sandboxModes = ['off', 'workspace', 'strict'] as const;

export type SandboxMode = (typeof sandboxModes)[number];

export interface SandboxConfig {
  readonly mode: SandboxMode;
  /** Further places that agents may write, absolute or beginning with `~/`. */
  readonly write: readonly string[];
  /** Hosts that agents may reach, where the mode is strict. */
  readonly domains: readonly string[];
}

export const noSandbox: SandboxConfig = { mode: 'off', write: [], domains: [] };
