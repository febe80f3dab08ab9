import type { Session } from '../../model/session.ts';
import { attachTerminal } from '../../runtime/tmux/attach.ts';
import { outerPrefix } from '../../runtime/tmux/outer-prefix.ts';
import { Tmux } from '../../runtime/tmux/client.ts';
import type { Tutti } from '../tutti.ts';

export interface OpenPane {
  readonly name: string;
  /** What a person presses to detach, where they sit. */
  readonly detachKeys: string;
  /** Gives the terminal to tmux until the person lets go of it. False: tmux did not take it. */
  attach(): Promise<boolean>;
}

/** The pane of a session; null where it has none, or where it was closed. */
export async function openPaneOf({ config, env }: Tutti, { id, host }: Session): Promise<OpenPane | null> {
  if (host === 'headless') return null;
  const tmux = new Tmux(config.tmux, env);
  const name = tmux.nameOf(id);
  if (!(await tmux.has(name))) return null;
  const detachKeys = await keysToDetach(env);
  await tmux.showDetachKeys(name, detachKeys);
  return { name, detachKeys, attach: async () => (await attachTerminal(tmux.attachArgv(name), env)) === 0 };
}

/** Our server has the default prefix. A tmux around it that has the same one takes the first press for itself. */
async function keysToDetach(env: Tutti['env']): Promise<string> {
  const plain = 'Ctrl+B then D';
  if ((env['TMUX'] ?? '') === '') return plain;
  const outer = await outerPrefix(env);
  return outer === 'C-b' ? 'Ctrl+B twice, then D' : plain;
}
