import { waitedFor } from './checkpoint.ts';
import type { Checkpoint, PlanRecord } from './plan-record.ts';

/**
 * A task of a run begins or ends. Tasks begin one by one, so the list grows while somebody is at work; when nobody is any
 * more it is complete, and the next task begins another.
 */
export function withMark(
  plan: PlanRecord,
  id: string,
  mark: 'running' | 'success' | 'failed',
  at: number,
): PlanRecord {
  const { checkpoint } = plan;
  const goesOn = checkpoint !== null && checkpoint.status === 'active';
  if (!goesOn && mark !== 'running') return plan;
  const base = goesOn ? checkpoint : { createdAt: at, tasks: {} };
  const next: Checkpoint = {
    status: 'active',
    createdAt: base.createdAt,
    tasks: { ...base.tasks, [id]: mark },
  };
  const isOver = waitedFor(next).length === 0;
  return { ...plan, checkpoint: isOver ? { ...next, status: 'complete' } : next };
}
