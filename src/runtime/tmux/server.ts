import { runTmux } from './run-tmux.ts';

/** `new-session -e` came with it. */
const oldest = { major: 3, minor: 2 } as const;
const install = 'apt install tmux (macOS: brew install tmux)';

/** A tmux server keeps the environment of the process that starts it, and shows it to everybody who asks: no secrets in there. */
export function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const allowed = new Set('PATH HOME USER LOGNAME SHELL LANG TZ TMPDIR TERM TMUX_TMPDIR'.split(' '));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (allowed.has(entry[0]) || entry[0].startsWith('LC_')),
    ),
  );
}

/** Null, or one sentence with the command that fixes it. */
export async function tmuxProblem(env: Readonly<Record<string, string>>): Promise<string | null> {
  const answer = await runTmux({ options: ['-V'], commands: [], env });
  if (answer.code !== 0) return `tmux cannot be run (${answer.stderr}): ${install}`;
  return versionProblem(answer.stdout);
}

/** `tmux 3.3a`, `tmux next-3.4`; what names no number is built from newer sources than any release. */
export function versionProblem(text: string): string | null {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || text.includes('openbsd')) return null;
  const found = Number(major) * 1000 + Number(minor);
  if (found >= oldest.major * 1000 + oldest.minor) return null;
  return `tmux ${major}.${minor} is too old, ${oldest.major}.${oldest.minor} is needed: ${install}`;
}
