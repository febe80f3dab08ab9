import { err, type Result } from '../../lib/result.ts';
import type { Tmux } from './client.ts';

export interface ViewPane {
  readonly id: string;
  /** A program that shows the session; it may be ended at any time and opened again. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
}

/** A look at a session that runs elsewhere. Neither the pane nor the whole server holds anything of it. */
export async function openPane(tmux: Tmux, { id, argv, cwd }: ViewPane): Promise<Result<string, string>> {
  const problem = await tmux.problem();
  if (problem !== null) return err(problem);
  const name = tmux.nameOf(id);
  const opened = await tmux.newSession({ name, argv, cwd });
  return opened.ok ? { ok: true, value: name } : opened;
}
