import type { DriverConfig } from '../../model/config.ts';

/** An agent CLI as the doctor knows it. */
export interface AgentCli {
  readonly name: string;
  readonly install: string;
  /** The oldest version that Tutti was tried with. */
  readonly triedFrom: string;
  /** Variables that hold a key, or say that one comes from elsewhere. Only their names are ever looked at. */
  readonly keys: readonly string[];
  /** Where it keeps a sign-in: below its own folder if a variable names one, else below the home folder. */
  readonly signIn: { readonly file: string; readonly folderVariable: string | null; readonly folder: string };
  readonly signInCommand: string;
}

export const agentClis: readonly AgentCli[] = [
  {
    name: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    triedFrom: '2.1.197',
    keys: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
    ],
    signIn: { file: '.credentials.json', folderVariable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
    signInCommand: 'claude',
  },
  {
    name: 'codex',
    install: 'npm install -g @openai/codex',
    triedFrom: '0.166.0',
    keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    signIn: { file: 'auth.json', folderVariable: 'CODEX_HOME', folder: '.codex' },
    signInCommand: 'codex login',
  },
  {
    name: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    triedFrom: '0.61.0',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    signIn: { file: 'oauth_creds.json', folderVariable: null, folder: '.gemini' },
    signInCommand: 'gemini',
  },
  {
    name: 'opencode',
    install: 'npm install -g opencode-ai',
    triedFrom: '1.18.33',
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
    signIn: { file: 'auth.json', folderVariable: null, folder: '.local/share/opencode' },
    signInCommand: 'opencode auth login',
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
