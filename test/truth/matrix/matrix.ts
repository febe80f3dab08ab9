import type { Matrix } from './calls.ts';
import { playPlans } from './plan-cells.ts';
import { MatrixProject } from './project.ts';
import { playRuns } from './run-cells.ts';
import { playSessions } from './session-cells.ts';

/** Plays every cell into one project. */
export async function playMatrix(): Promise<Matrix> {
  const project = new MatrixProject();
  const runs = await playRuns(project);
  const sessions = await playSessions(project);
  const plans = await playPlans(project);
  project.trust();
  return { project, runs, sessions, plans };
}
