import type { Session } from '../../model/session.ts';
import { attachTerminal } from '../../runtime/tmux/attach.ts';
import { Tmux } from '../../runtime/tmux/client.ts';
import type { Tutti } from '../tutti.ts';

export interface OpenPane {
  readonly name: string;
  /** Gives the terminal to tmux until the person lets go of it. False: tmux did not take it. */
  attach(): Promise<boolean>;
}

/** The pane of a session; null where it has none, or where it was closed. */
export async function openPaneOf({ config, env }: Tutti, { id, host }: Session): Promise<OpenPane | null> {
  if (host === 'headless') return null;
  const tmux = new Tmux(config.tmux, env);
  const name = tmux.nameOf(id);
  if (!(await tmux.has(name))) return null;
  return { name, attach: async () => (await attachTerminal(tmux.attachArgv(name), env)) === 0 };
}
