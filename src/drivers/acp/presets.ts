import type { AcpPreset, PermissionRule, PermissionRules } from '../../model/acp.ts';
import type { OwnReading } from '../../model/driver.ts';
import type { RepositoryCli } from '../../model/trust.ts';
import { claudeSignIn } from '../claude/sign-in.ts';
import { codexSignIn } from '../codex/sign-in.ts';

/** A version that does not know a variable does not say so. */
interface TrustVariables {
  readonly since: string;
  readonly untrusted: Readonly<Record<string, string>>;
  readonly trusted: Readonly<Record<string, string>>;
}

export interface Preset {
  readonly program: string;
  readonly args: readonly string[];
  /** How its program is told the model; without it the protocol is asked. */
  readonly modelFlag: string | null;
  /** How its program is told of a folder besides the workspace; without it such a folder is nothing special to it. */
  readonly folderFlag: string | null;
  /** Whether it handles files through the client as it should. */
  readonly files: boolean;
  /** `cost` alone: the tokens that it tells are those of the last question to the model. */
  readonly tellsUsage: 'cost' | 'tokens';
  /** What it prints when it tries again in silence; null where it tells its trouble in the end. */
  readonly complaint: string | null;
  readonly reads: OwnReading;
  /** What makes it ask before it acts; most do by themselves. */
  readonly env: (rules: PermissionRules, folders: readonly string[]) => Readonly<Record<string, string>>;
  readonly install: string;
  /** What a person does when its model refuses the key. */
  readonly signInAdvice: string;
  /** Whose files of a repository it takes settings from. */
  readonly obeys: RepositoryCli;
  /** What keeps it from them, and what says that it may; null where nothing does. */
  readonly trust: TrustVariables | null;
}

const none = (): Readonly<Record<string, string>> => ({});

export const presets: Readonly<Record<AcpPreset, Preset>> = {
  gemini: {
    program: 'gemini',
    args: ['--acp'],
    modelFlag: '-m',
    folderFlag: '--include-directories',
    // 0.61.0 takes every error for a broken disk, also that a file it is about to write is not there yet.
    files: false,
    tellsUsage: 'tokens',
    complaint: null,
    reads: { instructions: 'none', skills: ['.agents/skills'] },
    env: none,
    install: 'npm install -g @google/gemini-cli',
    signInAdvice: 'set GEMINI_API_KEY, or start `gemini` once and sign in there',
    obeys: 'gemini',
    trust: {
      since: '0.61.0',
      untrusted: { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
      trusted: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    },
  },
  opencode: {
    program: 'opencode',
    // What it tries again for ever is told in its log only.
    args: ['acp', '--print-logs', '--log-level', 'ERROR'],
    modelFlag: null,
    folderFlag: null,
    files: true,
    tellsUsage: 'cost',
    // For the conversation itself; titles are `small`.
    complaint: 'message="stream error".* small=false',
    reads: { instructions: 'AGENTS.md', skills: ['.claude/skills', '.agents/skills'] },
    env: askFirst,
    install: 'npm install -g opencode-ai',
    signInAdvice: 'set the key variable of its provider, or run `opencode auth login`',
    obeys: 'opencode',
    trust: { since: '1.18.33', untrusted: { OPENCODE_DISABLE_PROJECT_CONFIG: '1' }, trusted: {} },
  },
  'claude-agent-acp': {
    program: 'claude-agent-acp',
    args: [],
    modelFlag: null,
    folderFlag: null,
    files: true,
    tellsUsage: 'tokens',
    complaint: null,
    reads: { instructions: 'claude', skills: ['.claude/skills'] },
    // Each turn would ask the model once more, for what the person might say next.
    env: () => ({ CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' }),
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    signInAdvice: claudeSignIn,
    obeys: 'claude',
    trust: null,
  },
  'codex-acp': {
    program: 'codex-acp',
    args: [],
    modelFlag: null,
    folderFlag: null,
    files: true,
    tellsUsage: 'tokens',
    complaint: null,
    reads: { instructions: 'AGENTS.md', skills: ['.agents/skills'] },
    env: codexMode,
    install: 'npm install -g @agentclientprotocol/codex-acp',
    signInAdvice: codexSignIn,
    obeys: 'codex',
    trust: null,
  },
};

/** By default it has a model decide what is safe, and asks nobody. It has a sandbox for what it runs instead of questions. */
function codexMode({ edit, execute }: PermissionRules): Record<string, string> {
  const isFree = edit === 'allow' && execute === 'allow';
  return {
    INITIAL_AGENT_MODE: isFree ? 'workspace-write' : 'read-only',
    CODEX_ACP_PROMPT_SUGGESTIONS: 'false',
  };
}

/** It allows itself everything unless it is told to ask; this is laid over its own settings for one turn. */
function askFirst(
  { read, search, edit, execute, fetch, other }: PermissionRules,
  folders: readonly string[],
): Record<string, string> {
  const ask = (rule: PermissionRule): string => (rule === 'allow' ? 'allow' : 'ask');
  const known = Object.fromEntries(folders.map((folder) => [`${folder}/*`, 'allow']));
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
    // Asked besides the others, for whatever is not in the workspace. The last that fits counts.
    external_directory: { '*': ask(other), ...known },
  };
  return {
    OPENCODE_PERMISSION: JSON.stringify(permission),
    // Otherwise its turn ends with the first tool that is denied, before it can hand over a result.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ experimental: { continue_loop_on_deny: true } }),
  };
}
