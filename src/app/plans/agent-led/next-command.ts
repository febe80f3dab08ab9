import type { Board } from '../../../model/plan/board.ts';
import { executeRunId, planRunId, retryCommand } from '../../../model/plan/task-row.ts';
import { findObjections } from '../../../model/plan/objection.ts';
import { notExecutable, type PlanRecord } from '../../../model/plan/plan-record.ts';
import { type AskingRun, takeEditsCommand } from '../../../model/plan/take-edits.ts';

/** What the next command depends on besides the record of the plan. */
export interface NextFacts {
  /** Without what is parked. */
  readonly board: Board;
  /** Tasks that were begun, and on which nothing works now. */
  readonly parked: readonly string[];
  readonly halted: boolean;
  /** Task files are not what was checked. */
  readonly isChanged: boolean;
  /** Files of the plan are gone, and a copy is kept. */
  readonly isGone: boolean;
  /** Everything that landed is in the operator's folder. */
  readonly isDelivered: boolean;
  /** Tutti's own runs that conduct the plan; empty: agents or people do, with the commands about its state. */
  readonly runs: readonly ConductingRun[];
}

export interface ConductingRun extends AskingRun {
  /** It has ended or is halted. */
  readonly isOver: boolean;
  /** A living process advances it. */
  readonly held: boolean;
  /** It ended at a ceiling: the option that raises it. */
  readonly raise?: string | null;
}

/** What whoever conducts a plan types next; null: nothing is left to do. */
export function nextCommand(plan: PlanRecord, facts: NextFacts): string | null {
  if (facts.isGone) return 'tutti recover';
  if (facts.halted && plan.approval?.said !== 'refused') return `tutti resume ${plan.name}`;
  return facts.runs.length > 0 ? drivenNext(plan, facts) : hostedNext(plan, facts);
}

function drivenNext(plan: PlanRecord, facts: NextFacts): string | null {
  const { runs, board, parked, isChanged, isDelivered } = facts;
  const { phase, name } = plan;
  const isRefused = plan.approval?.said === 'refused';
  if (phase === 'complete' && !isChanged && (isDelivered || !isRefused))
    return isDelivered ? null : `tutti land --plan ${name}`;
  const planningRun = runs.find(({ id }) => id === planRunId(name));
  // A reason is taken up by planning again; a planning that asks about the tasks has taken it up.
  const decide =
    findObjections(plan).length > 0 && planningRun?.asks !== true
      ? `tutti plan --plan ${name}`
      : `tutti plan approve --plan ${name}`;
  if (isRefused && !isChanged && (phase === 'executing' || phase === 'complete')) return decide;
  const isExecutable = notExecutable(plan) === null;
  // Its answer is given, and the run has not recorded it yet.
  const answered = runs.find(({ id, isOver, asks }) => id === planRunId(name) && !isOver && !asks);
  if (phase === 'ready' && !isExecutable && answered === undefined)
    return isChanged ? takeEditsCommand(name, runs) : decide;
  if (isChanged && planningRun?.asks === true) return takeEditsCommand(name, runs);
  if (runs.some(({ asks }) => asks)) return 'tutti inbox';
  // Another command would be refused, or only watch.
  const held = runs.find((run) => run.held);
  // The plan can be executed at once: its planning run has only its end left.
  const isApproved = phase === 'ready' && isExecutable && !isChanged;
  if (held !== undefined && !(isApproved && held.id === planRunId(name))) return `tutti status ${held.id}`;
  if (phase === 'ready' && answered !== undefined && !isApproved) return `tutti resume ${answered.id}`;
  const raised = (id: string): string => {
    const option = runs.find((run) => run.id === id)?.raise ?? null;
    return option === null ? '' : ` ${option} N`;
  };
  if (isChanged || (phase !== 'ready' && phase !== 'executing'))
    return `tutti plan --plan ${name}${raised(planRunId(name))}`;
  if (!isExecutable) return decide;
  const { ready, running, failed, skipped } = board;
  const [first] = skipped;
  // Executing would only skip it again.
  const isLast = ready.length + running.length + failed.length + parked.length === 0;
  return isLast && first !== undefined
    ? retryCommand(name, first)
    : `tutti execute --plan ${name}${raised(executeRunId(name))}`;
}

function hostedNext(plan: PlanRecord, facts: NextFacts): string | null {
  const { checked, verdict } = plan;
  const advance = 'tutti plan advance';
  if (facts.isChanged) return takeEditsCommand(plan.name, []);
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
    case 'executing':
      return notExecutable(plan) === null ? executing(facts) : 'tutti plan approve';
    case 'complete':
      return null;
  }
}

function executing({ board, parked }: NextFacts): string {
  const { ready, running, failed, skipped, blocked } = board;
  const [first] = ready;
  if (first !== undefined) return `tutti task start ${first}`;
  if (parked.length > 0) return 'tutti checkpoint recover';
  const [atWork] = running;
  if (atWork !== undefined) return `tutti task complete ${atWork}`;
  // What was skipped is not missing, unless something waits for it.
  const [stuck] = [...failed, ...(blocked.size > 0 ? skipped : [])];
  return stuck === undefined ? 'tutti plan advance' : `tutti task retry ${stuck}`;
}
