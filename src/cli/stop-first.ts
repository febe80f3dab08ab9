import { counted } from '../lib/counted.ts';
import { statSync } from 'node:fs';
import { identifyCaller } from '../app/people/identify-caller.ts';
import type { ProjectPaths } from '../app/project.ts';
import type { Refusal } from '../app/refusal.ts';
import type { StoppedUnopened, UnopenedProject } from '../app/runs/stop-unopened.ts';
import { markBeforeMove } from '../app/trust/state-mark.ts';
import { locate } from '../app/tutti.ts';
import type { Context } from './context.ts';

/** How ending processes without the database went. */
export interface StoppedFirst {
  /** What was ended, and why it is not recorded. */
  readonly refusal: Refusal;
  /** Whether nothing was alive, so that there was nothing to do. */
  readonly wasIdle: boolean;
}

type Stop = (project: UnopenedProject, by: string) => Promise<StoppedUnopened | null>;

/** Ends processes although the database cannot be opened. */
export async function stopFirst(
  { folder, env, caller }: Context,
  why: Refusal,
  stop: Stop,
): Promise<StoppedFirst> {
  const place = locate({ folder, env, caller, despiteConfig: true });
  const stopped = place.ok ? await stopBothMarks(place.value, identifyCaller(caller).name, stop) : null;
  if (!place.ok || stopped === null) return { refusal: why, wasIdle: false };
  const { processes, left } = stopped;
  if (processes === 0 && left.length === 0) {
    if (!seesProcesses(place.value.paths)) return { refusal: why, wasIdle: false };
    const message = `nothing was killed, because no process is alive: ${why.message}`;
    return { refusal: { ...why, message }, wasIdle: true };
  }
  const ended = `${counted(processes, 'process', 'processes')} ended`;
  const alive = left.length === 0 ? '' : ` (still alive: ${left.join(', ')})`;
  const message = `${ended}${alive}, but that is not recorded: ${why.message}`;
  return { refusal: { ...why, message }, wasIdle: false };
}

/** Processes that were started before the project was moved carry its old mark. */
async function stopBothMarks(
  project: UnopenedProject,
  by: string,
  stop: Stop,
): Promise<StoppedUnopened | null> {
  const here = await stop(project, by);
  const { paths, env } = project;
  const before = markBeforeMove(paths, env);
  const moved = before === null ? null : await stop({ paths: { ...paths, mark: before }, env }, by);
  if (here === null || moved === null) return here ?? moved;
  return { processes: here.processes + moved.processes, left: [...here.left, ...moved.left] };
}

/** Marks of processes of another user cannot be read. */
function seesProcesses({ state }: ProjectPaths): boolean {
  const own = process.getuid?.();
  return own === 0 || statSync(state, { throwIfNoEntry: false })?.uid === own;
}
