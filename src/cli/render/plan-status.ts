import { oneLine } from '../../lib/terminal-text.ts';
import type { PlanStatus } from '../../app/plans/agent-led/plan-status.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { Context } from '../context.ts';
import { approvalText } from './plan-outlook.ts';
import { counted } from '../../lib/counted.ts';
import { painter } from './style.ts';
import { distrustLines } from './trust-lines.ts';
import { alignRows } from './width.ts';

const mostBlocked = 20;

/** How a plan stands, for a person or an agent that reads words. `distrust`: why its run cannot continue before it is trusted. */
export function planStatusLines(
  { screen }: { readonly screen: Pick<Context['screen'], 'colour'> },
  status: PlanStatus,
  distrust: string | null = null,
): readonly string[] {
  const { plan, board, total, parked, blocked, afterRefusal, next } = status;
  const paint = painter(screen.colour);
  const counts = [
    `${board.ready.length} ready`,
    `${board.running.length} running`,
    ...(parked.length === 0 ? [] : [`${parked.length} parked`]),
    `${board.done.length} done`,
    `${board.failed.length} failed`,
    `${blocked.length} blocked`,
    `${board.waiting.length} waiting`,
    `${board.skipped.length} skipped`,
  ];
  return [
    `plan ${plan.name} · phase ${paint('strong', plan.phase)}`,
    `  target      ${oneLine(plan.targetDir)} (${plan.projectType})`,
    `  directory   ${status.paths.dir}`,
    `  tasks       ${total === 0 ? 'none yet' : `${total}: ${counts.join(', ')}`}`,
    ...saidLines(plan, status.changed),
    ...(status.halted ? [`  ${paint('waiting', 'halted')}      ${oneLine(status.halt?.reason ?? '')}`] : []),
    ...checkpointLines(status),
    ...(board.running.length > 0 ? [`  at work     ${board.running.slice(0, mostBlocked).join(', ')}`] : []),
    ...parked
      .slice(0, mostBlocked)
      .map(({ id, reason }) => `  ${paint('waiting', 'parked')}      ${id}: ${oneLine(reason)}`),
    ...blocked
      .slice(0, mostBlocked)
      .map(({ id, reason }) => `  ${paint('bad', 'blocked')}     ${id}: ${oneLine(reason)}`),
    ...(blocked.length > mostBlocked ? [`              and ${blocked.length - mostBlocked} more`] : []),
    ...distrustLines(distrust),
    `  → ${afterRefusal ?? next ?? 'nothing is left to do'}`,
  ];
}

function saidLines(plan: PlanRecord, changed: string | null): readonly string[] {
  const { verdict, approval, checked } = plan;
  const stale = (tasks: string): string =>
    tasks === checked.tasks && changed === null ? '' : ', for tasks that have changed since';
  return [
    ...(verdict === null
      ? []
      : [`  verdict     ${verdict.verdict}${stale(verdict.tasks)}: ${oneLine(verdict.summary)}`]),
    ...(approval === null ? [] : [`  approval    ${oneLine(approvalText(plan, changed))}`]),
    ...(approval === null && changed !== null ? [`  changed     ${oneLine(changed)}`] : []),
  ];
}

function checkpointLines({ plan: { checkpoint }, marks }: PlanStatus): readonly string[] {
  if (checkpoint === null) return [];
  const tasks = Object.entries(marks).map(([id, mark]) => `${id} ${mark}`);
  return [`  checkpoint  ${checkpoint.status}: ${oneLine(tasks.join(', '))}`];
}

export interface PlanSummary {
  readonly plan: PlanRecord;
  readonly total: number;
  readonly done: number;
}

/** The lines of `tutti plan list`. */
export function planListLines(plans: readonly PlanSummary[]): readonly string[] {
  return alignRows(
    plans.map(({ plan, total, done }) => {
      const tasks = total === 0 ? 'no tasks' : `${done} of ${counted(total, 'task')} done`;
      return [plan.name, plan.phase, tasks, oneLine(plan.targetDir)];
    }),
  );
}
