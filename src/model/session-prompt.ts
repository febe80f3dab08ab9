import { turnTools } from './turn-tools.ts';

/** What an agent of a session may do beyond reading and reporting; the rest is told it as a limit (seed C, section D). */
export const permissions = ['code', 'git', 'sessions', 'system'] as const;

export type Permission = (typeof permissions)[number];

const limits: Readonly<Record<Permission, string>> = {
  code: 'Change no file of the project: read, run and measure only, and write nothing but your result.',
  git: 'Do no git operations that change anything: no commits, branches, pushes or pull requests. Say in your result what should be done.',
  sessions: 'Start no further agent sessions.',
  system: 'Install no packages, change no system configuration and restart no services.',
};

const always = 'What a hook of the project refuses stays refused: look for no way around it, and report it.';

/**
 * The agent's own prompt, followed by the limits that its definition does not lift. Tools that the definition names decide
 * about code: an agent that has `Edit` is not told to change no file, and one that has only `Read` is.
 */
export function sessionPrompt(
  systemPrompt: string,
  { allow, tools }: { readonly allow: readonly Permission[]; readonly tools: readonly string[] },
): string {
  const changesCode =
    tools.length === 0 ? allow.includes('code') : turnTools({ tools }).writes === 'workspace';
  const lifts = (permission: Permission): boolean =>
    permission === 'code' ? changesCode : allow.includes(permission);
  const lines = permissions.filter((permission) => !lifts(permission)).map((name) => limits[name]);
  const list = [...lines, always].map((line) => `- ${line}`).join('\n');
  return `${systemPrompt.trimEnd()}\n\n## Limits of this session\n\n${list}\n`;
}
