import type { OpenedProject } from '../app/opened-project.ts';
import { overdueRuns } from '../app/runs/overdue.ts';
import { needsHolder } from '../app/sessions/overdue.ts';
import { findSilentHolder } from '../app/status/living-holder.ts';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { familyOf } from '../model/family.ts';
import { describeHolder, silenceHint, type SilentHolder, takeOverHint } from '../model/silent-holder.ts';
import type { Context } from './context.ts';
import { finishStopHint } from './render/run-hint.ts';

/** A remark after the answer: a command does not fail because the machine no longer allows it. */
export async function mentionOverdue({ process }: Context, project: OpenedProject): Promise<void> {
  try {
    if (!(await project.store.isInPlace())) return;
    for (const line of await overdueLines(project)) process.stderr.write(`${line}\n`);
  } catch (error) {
    if (!isMachineTrouble(error)) throw error;
  }
}

interface HeldRuns {
  readonly holder: SilentHolder;
  readonly ids: readonly string[];
}

/** One line about the runs and one about the sessions without a holder, and one for each holder that does not respond. */
async function overdueLines(project: OpenedProject): Promise<readonly string[]> {
  const sessions: string[] = [];
  const runs: string[] = [];
  const stopped: string[] = [];
  const held = new Map<number, HeldRuns>();
  for (const id of await overdueRuns(project)) {
    if (project.toldRuns.has(id)) continue;
    const run = await project.queries.run(id);
    const isSession = run !== null && familyOf(run).isSession;
    if (isSession && !(await needsHolder(project, id))) continue;
    const holder = run === null ? null : await findSilentHolder(project, run);
    if (holder === null) (run?.cancelled === true ? stopped : isSession ? sessions : runs).push(id);
    else held.set(holder.pid, { holder, ids: [...(held.get(holder.pid)?.ids ?? []), id] });
  }
  return [
    ...waiting(runs, 'run', 'tutti resume'),
    // Waiting for a session starts a conductor for it.
    ...waiting(sessions, 'session', 'tutti session wait'),
    ...unfinishedStops(stopped),
    ...[...held.values()].flatMap(heldLine),
  ];
}

function waiting(ids: readonly string[], noun: string, next: string): readonly string[] {
  const [first] = ids;
  if (first === undefined) return [];
  const [waits, them] = ids.length === 1 ? [`1 ${noun} is`, 'it'] : [`${ids.length} ${noun}s are`, 'them'];
  return [
    `${waits} waiting and no process advances ${them}; continue ${ids.length === 1 ? 'it' : 'one'}: ${next} ${first}`,
  ];
}

function unfinishedStops([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return [`run ${first}${more} was being stopped, and no process finishes that; ${finishStopHint(first)}`];
}

function heldLine({ holder, ids }: HeldRuns): readonly string[] {
  const [first, ...others] = ids;
  if (first === undefined) return [];
  return [
    `${describeHolder(holder, first, others.length)}; ${silenceHint(holder, takeOverHint(holder, first))}`,
  ];
}
