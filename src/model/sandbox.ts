/**
 * `workspace`: everything can be read, and only the places of the session written. `strict`: besides, only named hosts of
 * the network can be reached, and the person's own folders not be read. `auto`: the best that works on this machine.
 */
export const sandboxModes = ['auto', 'off', 'workspace', 'strict'] as const;

export type SandboxMode = (typeof sandboxModes)[number];

interface SandboxPlaces {
  /** Further places that agents may write, absolute or beginning with `~/`. */
  readonly write: readonly string[];
  /** Hosts that agents may reach, where the mode is strict. */
  readonly domains: readonly string[];
}

/** As a person configures it. */
export interface SandboxConfig extends SandboxPlaces {
  readonly mode: SandboxMode;
}

/** As one session gets it. */
export interface SessionSandbox extends SandboxPlaces {
  readonly mode: Exclude<SandboxMode, 'auto'>;
}

export const autoSandbox: SandboxConfig = { mode: 'auto', write: [], domains: [] };

/**
 * What a driver runs. `cli`: an agent CLI whose own folders are known. `program`: the operator's own, whose folders are
 * not. `player`: Tutti's player of cassettes.
 */
export type AgentProgram =
  | { readonly kind: 'cli'; readonly hasOwnSandbox: boolean }
  | { readonly kind: 'program' }
  | { readonly kind: 'player' };

export interface SandboxFacts {
  readonly program: AgentProgram;
  /** Whether the agent may start sessions, which means writing where a sandbox lets it only read. */
  readonly startsSessions: boolean;
  /** Why `workspace` is impossible on this machine; null: it works. Asked only where it matters. */
  readonly bubbleProblem: () => string | null;
}

/** Why a session runs as it does. Only what `auto` decided has to be explained. */
type SandboxReason =
  | { readonly because: 'configured' | 'works' | 'player' | 'own-program' | 'starts-sessions' }
  | { readonly because: 'own-sandbox' | 'impossible'; readonly problem: string };

export interface SandboxChoice {
  readonly mode: SessionSandbox['mode'];
  readonly reason: SandboxReason;
}

/** Which sandbox a session gets. */
export function chooseSandbox({ mode }: SandboxConfig, facts: SandboxFacts): SandboxChoice {
  if (mode !== 'auto') return { mode, reason: { because: 'configured' } };
  const { program, startsSessions } = facts;
  if (program.kind === 'player') return { mode: 'off', reason: { because: 'player' } };
  if (program.kind === 'program') return { mode: 'off', reason: { because: 'own-program' } };
  if (startsSessions) return { mode: 'off', reason: { because: 'starts-sessions' } };
  const problem = facts.bubbleProblem();
  if (problem === null) return { mode: 'workspace', reason: { because: 'works' } };
  return { mode: 'off', reason: { because: program.hasOwnSandbox ? 'own-sandbox' : 'impossible', problem } };
}

/** One sentence for people: which sandbox, and why not a better one. */
export function describeSandbox({ mode, reason }: SandboxChoice): string {
  switch (reason.because) {
    case 'configured':
    case 'works':
      return `sandbox ${mode}`;
    case 'player':
      return 'sandbox off: a cassette is played by Tutti itself';
    case 'own-program':
      return 'sandbox off: auto does not sandbox programs of your own; sandbox: workspace does';
    case 'starts-sessions':
      return 'sandbox off: this agent may start sessions, which no sandboxed agent can';
    case 'own-sandbox':
      return `sandbox of the CLI itself: ${reason.problem}`;
    case 'impossible':
      return `sandbox off: ${reason.problem}`;
  }
}
