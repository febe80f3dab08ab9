import type { Turn } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { agentPart, type AgentSnapshot } from '../../model/flow.ts';
import type { WrittenFiles } from '../../model/plan/execute-parts.ts';
import { type SessionSpec, workflowHandoff } from '../../model/turn.ts';
import type { TaskJob } from './task-job.ts';
import { inTask, taskOperation, turnPriority } from './task-place.ts';

/** A turn in the workspace of the task; more of the task always follows it. */
export function turnSpec(
  job: TaskJob,
  agent: AgentSnapshot,
  role: 'executor' | 'verifier',
  turn: Turn,
): SessionSpec {
  const { place, workspace, where } = job;
  return {
    ...agentPart(agent),
    role,
    workspace: workspace.dir,
    ...turn,
    timeoutMs: place.input.sessionTimeoutMs,
    priority: turnPriority(place),
    handoff: {
      ...workflowHandoff,
      tags: [place.input.plan, place.id],
      env: { ...workspace.env, TUTTI_PLAN_DIR: where.planDir, TUTTI_TASK: place.id },
    },
    goesOn: true,
  };
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
