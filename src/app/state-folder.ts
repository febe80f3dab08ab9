import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The operator's environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What Tutti keeps for a person, outside every repository. An XDG directory that is not absolute is to be ignored. */
export function stateFolder(env: Variables): string {
  const xdg = env['XDG_STATE_HOME'] ?? '';
  const state = isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.local', 'state');
  return join(state, 'tutti');
}
