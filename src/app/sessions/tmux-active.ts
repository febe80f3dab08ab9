import { Tmux } from '../../runtime/tmux/client.ts';
import type { Tutti } from '../tutti.ts';

/** Whether the pane of a session is there; a session without one has none. */
export async function tmuxActive(
  { config, env }: Pick<Tutti, 'config' | 'env'>,
  name: string | null,
): Promise<boolean> {
  return name !== null && (await new Tmux(config.tmux, env).has(name));
}
