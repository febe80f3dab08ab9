import { runTmux } from './run-tmux.ts';

/** The prefix key of the tmux that a person sits in, such as `C-a`; empty where it does not answer. */
export async function outerPrefix(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const commands = [['show-options', '-gv', 'prefix']];
  return (await runTmux({ options: [], commands, env: Object.fromEntries(known) })).stdout.trim();
}
