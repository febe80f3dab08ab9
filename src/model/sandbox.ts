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
  /** `deniesCommands`: it can be told to run no command, and still reads and writes. */
  | { readonly kind: 'cli'; readonly hasOwnSandbox: boolean; readonly deniesCommands: boolean }
  /** `obeysTools`: it asks before it changes anything, so that Tutti can deny what its agent has no tool for. */
  | { readonly kind: 'program'; readonly obeysTools: boolean }
  | { readonly kind: 'player' };

export interface SandboxFacts {
  readonly program: AgentProgram;
  /** Whether the agent's own file names tools, and none that changes anything. */
  readonly readsOnly: boolean;
  /** Why `workspace` is impossible on this machine; null: it works. Asked only where it matters. */
  readonly bubbleProblem: () => string | null;
}

/** Why a session runs as it does. Only what `auto` decided has to be explained. */
type SandboxReason =
  | { readonly because: 'configured' | 'works' | 'player' | 'own-program' | 'reads-only' }
  | { readonly because: 'own-sandbox' | 'impossible' | 'unlimited'; readonly problem: string };

export interface SandboxChoice {
  readonly mode: SessionSandbox['mode'];
  readonly reason: SandboxReason;
}

/** Which sandbox a session gets. */
export function chooseSandbox({ mode }: SandboxConfig, facts: SandboxFacts): SandboxChoice {
  const { program } = facts;
  const onlySandboxLimits = facts.readsOnly && program.kind === 'program' && !program.obeysTools;
  if (onlySandboxLimits && (mode === 'auto' || mode === 'off')) return limitBySandbox(mode, facts);
  if (mode !== 'auto') return { mode, reason: { because: 'configured' } };
  if (program.kind === 'player') return { mode: 'off', reason: { because: 'player' } };
  if (program.kind === 'program') return { mode: 'off', reason: { because: 'own-program' } };
  const problem = facts.bubbleProblem();
  if (problem === null) return { mode: 'workspace', reason: { because: 'works' } };
  return { mode: 'off', reason: { because: program.hasOwnSandbox ? 'own-sandbox' : 'impossible', problem } };
}

/** A read-only workspace for a program that knows nothing of its agent's tools. */
function limitBySandbox(mode: 'auto' | 'off', { bubbleProblem }: SandboxFacts): SandboxChoice {
  const problem = mode === 'off' ? 'tutti.yaml says sandbox: off' : bubbleProblem();
  if (problem === null) return { mode: 'workspace', reason: { because: 'reads-only' } };
  return { mode: 'off', reason: { because: 'unlimited', problem } };
}

/** Why a session must not start: nothing would hold its agent to the tools of its file. Null: it may. */
export function refuseUnlimited(choice: SandboxChoice): string | null {
  return choice.reason.because === 'unlimited' ? describeSandbox(choice) : null;
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
    case 'reads-only':
      return `sandbox ${mode}: this agent has no tool that writes, so its workspace is read-only`;
    case 'unlimited':
      return `this agent has no tool that writes, and only a sandbox keeps a program of yours from writing: ${reason.problem}`;
    case 'own-sandbox':
      return `sandbox of the CLI itself: ${reason.problem}`;
    case 'impossible':
      return `sandbox off: ${reason.problem}`;
  }
}
