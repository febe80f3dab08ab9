import type { AlsoContinued, OpenedProject } from '../app/opened-project.ts';
import type { Output } from '../model/schemas/published.ts';

/** Runs that continue with the conductor of this command, for its JSON; absent: there are none. */
export function alsoContinues({
  alsoContinues: runs,
}: Pick<OpenedProject, 'alsoContinues'>): Pick<Output<'session-create'>, 'also_continues'> {
  if (runs === null || runs.length === 0) return {};
  return { also_continues: runs.map(({ runId, stop }) => ({ run_id: runId, stop })) };
}

/** The same for people, each with the command that stops it. */
export function alsoContinuesLines(runs: readonly AlsoContinued[]): readonly string[] {
  return runs.flatMap(({ runId, stop }) => [
    `run ${runId}, which no process advanced, continues in the background too`,
    `  → stop it: ${stop}`,
  ]);
}
