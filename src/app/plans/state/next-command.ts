import type { Board } from '../../../model/plan/board.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';

/** `driven`: Tutti's own runs conduct the plan. `hosted`: somebody does, with the commands about its state. */
export type Conducted = 'driven' | 'hosted';

/** What whoever conducts a plan types next; null: it is complete. */
export function nextCommand(
  plan: PlanRecord,
  board: Board,
  halted: boolean,
  by: Conducted = 'hosted',
): string | null {
  if (halted) return `tutti resume ${plan.name}`;
  return by === 'driven' ? drivenNext(plan) : hostedNext(plan, board);
}

function drivenNext({ phase, name, approval, checked }: PlanRecord): string {
  if (phase === 'complete') return `tutti land --plan ${name}`;
  if (phase !== 'ready' && phase !== 'executing') return `tutti plan --plan ${name}`;
  const approved = approval?.said === 'approved' && approval.tasks === checked.tasks;
  return `tutti ${approved ? 'execute' : 'plan approve'} --plan ${name}`;
}

function hostedNext(plan: PlanRecord, board: Board): string | null {
  const { checked, verdict, approval } = plan;
  const advance = 'tutti plan advance';
  switch (plan.phase) {
    case 'ingestion':
      return plan.specChecksum === null ? `tutti plan init --plan ${plan.name} --spec FILE` : advance;
    case 'logical':
      return checked.capability_map === undefined ? 'tutti plan validate capability_map' : advance;
    case 'physical':
      return checked.physical_map === undefined ? 'tutti plan validate physical_map' : advance;
    case 'definition':
      return checked.tasks === undefined ? 'tutti plan load-tasks' : advance;
    case 'validation': {
      const holds = verdict !== null && verdict.tasks === checked.tasks && verdict.verdict !== 'BLOCKED';
      return holds ? advance : 'tutti plan validate-tasks VERDICT SUMMARY';
    }
    case 'sequencing':
      return 'tutti plan load-tasks && tutti plan advance';
    case 'ready':
      return approval?.said === 'approved' && approval.tasks === checked.tasks
        ? executing(board)
        : 'tutti plan approve';
    case 'executing':
      return executing(board);
    case 'complete':
      return null;
  }
}

function executing({ ready, running, failed, skipped }: Board): string {
  const [first] = ready;
  if (first !== undefined) return `tutti task start ${first}`;
  if (running.length > 0) return 'tutti checkpoint recover';
  const [stuck] = [...failed, ...skipped];
  return failed.length > 0 && stuck !== undefined ? `tutti task retry ${stuck}` : 'tutti plan advance';
}
