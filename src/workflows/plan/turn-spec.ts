import type { Ctx } from '../../kernel/ctx.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import type { WrittenFiles } from '../../model/plan/execute-parts.ts';
import type { SessionSpec, Turn } from '../../model/turn.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import type { TaskJob } from './task-job.ts';
import { inTask, taskOperation, turnPriority } from './task-in-run.ts';

/** A turn in the workspace of the task; more of the task always follows it. */
export function turnSpec(
  job: TaskJob,
  agent: AgentSnapshot,
  role: 'executor' | 'verifier',
  turn: Turn,
): SessionSpec {
  const { place, workspace, where } = job;
  return turnOfAgent(agent, turn, {
    role,
    workspace: workspace.dir,
    timeoutMs: place.input.sessionTimeoutMs,
    priority: turnPriority(place),
    handoff: {
      tags: [place.input.plan, place.id],
      env: { ...workspace.env, TUTTI_PLAN_DIR: where.planDir, TUTTI_TASK: place.id },
    },
    goesOn: true,
  });
}

/** What the workspace holds beyond its base, after that turn. */
export function writtenFiles(
  ctx: Ctx,
  job: TaskJob,
  as: 'declared' | 'progress',
  after: string,
): Promise<WrittenFiles> {
  const { place, workspace, prepared } = job;
  const paths = place.entry.task.files.map(({ path }) => path);
  const args = { ...inTask(place), target: place.input.target, workspace, paths, prepared };
  return taskOperation(ctx, place, 'task-written', args, { as, of: after });
}
