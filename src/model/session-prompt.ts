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

const results = {
  required:
    'Before you end, write a JSON file to the path in the environment variable TUTTI_RESULT. Without it your work counts as failed.',
  optional:
    'If you have something to hand over, write a JSON file to the path in the environment variable TUTTI_RESULT.',
} as const;

/** The agent's own prompt, followed by the limits that its definition does not lift. */
export function sessionPrompt(
  systemPrompt: string,
  allow: readonly Permission[],
  result: keyof typeof results,
): string {
  const lines = permissions.filter((permission) => !allow.includes(permission)).map((name) => limits[name]);
  const list = [...lines, always].map((line) => `- ${line}`).join('\n');
  return `${systemPrompt.trimEnd()}\n\n## Limits of this session\n\n${list}\n\n## Result of this session\n\n${results[result]}\n`;
}
