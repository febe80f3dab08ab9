import type { PermissionRules } from '../../model/acp.ts';
import type { AgentCli } from '../../model/agent-clis.ts';

/** A version that does not know a variable does not say so. */
interface TrustVariables {
  readonly since: string;
  readonly untrusted: Readonly<Record<string, string>>;
  readonly trusted: Readonly<Record<string, string>>;
}

interface PolicyFile {
  readonly flag: string;
  /** Its name in the session's folder. */
  readonly file: string;
  readonly write: (rules: PermissionRules) => string;
}

/** An agent of the protocol that is known. The folder of its CLI holds it. */
export interface Preset {
  /** The CLI behind it: whose files it reads, and whose sign-in it uses. */
  readonly cli: AgentCli;
  readonly program: string;
  readonly args: readonly string[];
  readonly install: string;
  /** How its program is told the model; without it the protocol is asked. */
  readonly modelFlag: string | null;
  /** How its program is told of a folder besides the workspace; without it such a folder is nothing special to it. */
  readonly folderFlag: string | null;
  /** Rules of its own about tools, given to its program as a file; null where variables tell them, or nothing does. */
  readonly policy: PolicyFile | null;
  /** Whether it handles files through the client as it should. */
  readonly files: boolean;
  /** `cost` alone: the tokens that it tells are those of the last question to the model. */
  readonly tellsUsage: 'cost' | 'tokens';
  /** What it prints when it tries again in silence, with the reason as a group; null where it tells its trouble in the end. */
  readonly complaint: string | null;
  /** Whether it holds its commands in a sandbox of its own. */
  readonly hasOwnSandbox: boolean;
  /** What makes it ask before it acts; most do by themselves. */
  readonly env: (rules: PermissionRules, folders: readonly string[]) => Readonly<Record<string, string>>;
  /** What keeps it from the files of a repository, and what says that it may; null where nothing does. */
  readonly trust: TrustVariables | null;
  /** What a person types to continue a conversation; absent: it has no such command. */
  readonly resumeCommand?: (program: string, conversation: string) => readonly string[];
}
