import type { AcpPreset, PermissionRules } from '../../model/acp.ts';
import type { OwnReading } from '../../model/driver.ts';

export interface Preset {
  readonly program: string;
  readonly args: readonly string[];
  /** How its program is told the model; without it the protocol is asked. */
  readonly modelFlag: string | null;
  /** Whether it handles files through the client as it should. */
  readonly files: boolean;
  /** `cost` alone: the tokens that it tells are those of the last question to the model. */
  readonly tellsUsage: 'cost' | 'tokens';
  readonly reads: OwnReading;
  /** What makes it ask before it acts; most do by themselves. */
  readonly env: (rules: PermissionRules) => Readonly<Record<string, string>>;
  readonly install: string;
}

const none = (): Readonly<Record<string, string>> => ({});

export const presets: Readonly<Record<AcpPreset, Preset>> = {
  gemini: {
    program: 'gemini',
    args: ['--acp'],
    modelFlag: '-m',
    // 0.61.0 takes every error for a broken disk, also that a file it is about to write is not there yet.
    files: false,
    tellsUsage: 'tokens',
    reads: { agentsMd: false, skills: ['.agents/skills'] },
    env: none,
    install: 'npm install -g @google/gemini-cli',
  },
  opencode: {
    program: 'opencode',
    // What it tries again for ever is told in its log only.
    args: ['acp', '--print-logs', '--log-level', 'ERROR'],
    modelFlag: null,
    files: true,
    tellsUsage: 'cost',
    reads: { agentsMd: true, skills: ['.claude/skills', '.agents/skills'] },
    env: askFirst,
    install: 'npm install -g opencode-ai',
  },
  'claude-agent-acp': {
    program: 'claude-agent-acp',
    args: [],
    modelFlag: null,
    files: true,
    tellsUsage: 'tokens',
    reads: { agentsMd: true, skills: ['.claude/skills'] },
    env: none,
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  'codex-acp': {
    program: 'codex-acp',
    args: [],
    modelFlag: null,
    files: true,
    tellsUsage: 'tokens',
    reads: { agentsMd: true, skills: ['.agents/skills'] },
    env: none,
    install: 'npm install -g @agentclientprotocol/codex-acp',
  },
};

/** It allows itself everything unless it is told to ask; this is laid over its own settings for one turn. */
function askFirst({ read, search, edit, execute, fetch, other }: PermissionRules): Record<string, string> {
  const ask = (...rules: readonly string[]): string =>
    rules.every((rule) => rule === 'allow') ? 'allow' : 'ask';
  const permission = {
    '*': ask(other),
    read: ask(read),
    list: ask(read),
    glob: ask(search),
    grep: ask(search),
    edit: ask(edit),
    bash: ask(execute),
    webfetch: ask(fetch),
    websearch: ask(fetch),
    external_directory: 'ask',
  };
  return { OPENCODE_PERMISSION: JSON.stringify(permission) };
}
