import { agentWork, type AgentWork, type WorkEnd } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { healMax } from '../../model/plan/execute-input.ts';
import { judgeWork } from './judge.ts';
import type { TaskJob } from './task-job.ts';
import { turnSpec, writtenFiles } from './turn-spec.ts';

/** The executor, until its work stands before the gates. Its id is the task's, or `T001/rebase-1`. */
export function executorTurns(
  ctx: Ctx,
  job: TaskJob,
  { id, ...rest }: Pick<AgentWork, 'id' | 'words' | 'prompt' | 'news' | 'from'>,
): Promise<WorkEnd> {
  const { place } = job;
  const { executor } = place.input.agents;
  return agentWork(ctx, {
    id,
    identity: { of: place.identity, attempt: job.begun.attempt },
    ...rest,
    retryMax: healMax,
    gated: place.entry.task.acceptance_criteria.length > 0,
    spec: (turn) => turnSpec(job, executor, 'executor', turn),
    judge: (_ended, after) => judgeWork(ctx, job, after),
    progress: async (_ended, after) => (await writtenFiles(ctx, job, 'progress', after)).digest,
  });
}
