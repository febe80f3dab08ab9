import type { SessionSpec, TurnRole } from './turn.ts';

/** What the tools of a turn may do besides reading, in words that hold for every CLI. */
export interface TurnTools {
  /** `workspace`: where it works. `plan`: the plan's folder. `scratch`: nothing but its session's own folder. */
  readonly writes: 'workspace' | 'plan' | 'scratch';
  readonly runs: boolean;
  readonly fetches: boolean;
}

const ofRole: Readonly<Record<TurnRole, TurnTools>> = {
  executor: { writes: 'workspace', runs: true, fetches: false },
  verifier: { writes: 'scratch', runs: true, fetches: false },
  planner: { writes: 'plan', runs: true, fetches: false },
};

const writers: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const fetchers: ReadonlySet<string> = new Set(['WebFetch', 'WebSearch']);

/** Tools that the agent's file names count whatever the role. Commands can write, so `Bash` alone is enough for that. */
export function turnTools({ role = 'executor', tools }: Pick<SessionSpec, 'role' | 'tools'>): TurnTools {
  if (tools === undefined) return ofRole[role];
  const names = tools.map(toolName);
  const runs = names.includes('Bash');
  return {
    writes: runs || names.some((name) => writers.has(name)) ? 'workspace' : 'scratch',
    runs,
    fetches: names.some((name) => fetchers.has(name)),
  };
}

/** The tool of a rule such as `Bash(npm test:*)`. */
export function toolName(rule: string): string {
  return rule.replace(/\(.*$/s, '').trim();
}

/** Whether nothing can be changed: neither by an editing tool nor by a command. */
export function isReadOnly({ writes, runs }: TurnTools): boolean {
  return writes === 'scratch' && !runs;
}

/** Folders that the turn may write, absolute. That of the session is always among them: the result goes there. */
export function writableFolders(
  spec: Pick<SessionSpec, 'role' | 'tools' | 'workspace' | 'handoff' | 'resultDir'>,
  sessionDir: string,
): readonly string[] {
  const { writes } = turnTools(spec);
  return [
    ...(writes === 'workspace' ? [spec.workspace] : []),
    ...(writes === 'scratch' ? [] : spec.handoff.addDirs),
    ...ownFolders(spec, sessionDir),
  ];
}

/** Folders of the turn itself, whatever its role: that of its step's result, and last that of the session. */
export function ownFolders(spec: Pick<SessionSpec, 'resultDir'>, sessionDir: string): readonly string[] {
  return [...new Set([spec.resultDir ?? sessionDir, sessionDir])];
}
