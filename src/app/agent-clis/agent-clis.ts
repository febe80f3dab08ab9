import type { DriverConfig } from '../../model/config.ts';

/** An agent CLI as the doctor knows it. */
export interface AgentCli {
  readonly name: string;
  readonly install: string;
  /** The oldest version that Tutti was tried with. */
  readonly triedFrom: string;
  /** Its own provider answers without a sign-in. */
  readonly worksUnsigned?: true;
}

export const agentClis: readonly AgentCli[] = [
  {
    name: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    triedFrom: '2.1.197',
  },
  {
    name: 'codex',
    install: 'npm install -g @openai/codex',
    triedFrom: '0.166.0',
  },
  {
    name: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    triedFrom: '0.61.0',
  },
  {
    name: 'opencode',
    install: 'npm install -g opencode-ai',
    triedFrom: '1.18.33',
    worksUnsigned: true,
  },
];

/** The CLI that a driver runs, and under which name; null for a driver that runs something else. */
export function cliOf(driver: DriverConfig): { readonly cli: string; readonly program: string } | null {
  if (driver.type === 'claude' || driver.type === 'codex') {
    return { cli: driver.type, program: driver.program };
  }
  if (driver.type !== 'acp' || !('preset' in driver.agent)) return null;
  const { preset, program = preset } = driver.agent;
  return { cli: preset, program };
}
