import { firstFew } from '../../lib/first-few.ts';
import type { CheckoutState } from '../../app/plans/uncommitted.ts';
import type { OutlookAgent, OutlookTask, PlanEstimate, PlanOutlook } from '../../app/plans/outlook.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { mermaidOf } from '../../model/plan/mermaid.ts';
import type { Output } from '../../model/schemas/published.ts';
import { alignedTable, money } from './cost-table.ts';
import { counted } from '../../lib/counted.ts';
import type { Paint } from './style.ts';
import { agreedLines } from './task-lines.ts';

const maxNamed = 10;

/** A plan as a person sees it before saying yes: what is done, in which order, what it may take, and what to mind. */
export function outlookLines(outlook: PlanOutlook, paint: Paint, columns: number): readonly string[] {
  const { plan, tasks, steelThread, added, risks } = outlook;
  const titles = ['TASK', 'PHASE', 'NAME', 'NEEDS', 'STATE', 'HOURS'];
  return [
    headLine(
      plan,
      tasks.map(({ task }) => task),
    ),
    '',
    ...alignedTable(titles, tasks.map(cellsOf), 5, paint, columns),
    '',
    ...tasks.flatMap(({ task }) => agreedLines(task, columns, plan.base?.without)),
    '',
    `approval      ${oneLine(approvalText(plan, outlook.changed), 300)}`,
    `steel thread  ${steelThread.length === 0 ? 'none' : steelThread.join(' → ')}`,
    ...added.map(
      ({ before, after, file }) => `one by one    ${before} → ${after}: both own ${oneLine(file)}`,
    ),
    `agents        ${outlook.agents.map(agentText).join('; ')}`,
    ...estimateLines(outlook.estimate),
    ...(outlook.uncommitted.length === 0 ? [] : [`not committed ${uncommittedText(outlook.uncommitted)}`]),
    ...risks.map((risk) => `${paint('waiting', 'note')}          ${oneLine(risk, 300)}`),
  ];
}

/** What an approval covers: each task with its files and commands, and who has verified them. */
export function approvedLines({ plan, tasks }: PlanOutlook, columns: number): readonly string[] {
  const { verdict } = plan;
  return [
    headLine(
      plan,
      tasks.map(({ task }) => task),
    ),
    '',
    ...tasks.flatMap(({ task }) => agreedLines(task, columns, plan.base?.without)),
    '',
    `verdict       ${verdict === null ? 'none' : oneLine(`${verdict.verdict} by ${verdict.by}: ${verdict.summary}`, 300)}`,
  ];
}

/** The same for programs. */
export function approvedTasks({ tasks }: PlanOutlook): NonNullable<Output<'plan-decision'>['tasks']> {
  return tasks.map(({ task }) => ({
    id: task.id,
    files: task.files.map(({ path, action }) => ({ path, action })),
    commands: task.acceptance_criteria.map(({ verification }) => verification),
  }));
}

/** The tasks of a plan that breaks a rule: in which order they can be done, and what they may take, is not known. */
export function unruledLines(
  plan: PlanRecord,
  tasks: readonly PlanTask[],
  paint: Paint,
  columns: number,
): readonly string[] {
  const rows = tasks.map((task) =>
    cellsOf({ task, needs: task.dependencies.tasks, at: 'pending' }).filter((_, index) => index !== 4),
  );
  return [
    headLine(plan, tasks),
    '',
    ...alignedTable(['TASK', 'PHASE', 'NAME', 'NEEDS', 'HOURS'], rows, 4, paint, columns),
    '',
    ...tasks.flatMap((task) => agreedLines(task, columns, plan.base?.without)),
  ];
}

function headLine(plan: PlanRecord, tasks: readonly PlanTask[]): string {
  const phases = counted(new Set(tasks.map(({ phase }) => phase)).size, 'phase');
  return `plan ${plan.name} · ${counted(tasks.length, 'task')} in ${phases} · target ${oneLine(plan.targetDir)}`;
}

/** What a person has said of the tasks; `changed`: how their files differ from what was checked. */
export function approvalText({ approval, checked }: PlanRecord, changed: string | null): string {
  if (approval === null) return 'not approved yet';
  const { said, by, reason, tasks } = approval;
  const word = `${said} by ${by}${said === 'refused' && reason !== null ? `: ${reason}` : ''}`;
  if (changed !== null) return `${word}, for tasks that have changed since: ${changed}`;
  return tasks === checked.tasks ? word : `${word}, for tasks that have changed since`;
}

function isAboutThese({ approval, checked }: PlanRecord, changed: string | null): boolean {
  return changed === null && approval?.tasks === checked.tasks;
}

/** What a person should know about the checkout before anything is paid for. */
export function checkoutLines({ uncommitted, offBranch }: CheckoutState): readonly string[] {
  return [
    ...(uncommitted.length === 0 ? [] : [`not committed: ${uncommittedText(uncommitted)}`]),
    ...(offBranch === null ? [] : [`${oneLine(offBranch.what, 500)}; ${oneLine(offBranch.fix, 500)}`]),
  ];
}

/** Which files are missing from every workspace. */
function uncommittedText(files: readonly string[]): string {
  const paths = files.map((path) => oneLine(path, 100));
  return `${firstFew(paths, maxNamed)}; tasks work without ${files.length === 1 ? 'it' : 'them'}`;
}

function agentText({ agent, driver, tier, model }: OutlookAgent): string {
  return oneLine(`${agent} on ${driver}, ${model ?? 'its own default model'} (tier ${tier})`, 200);
}

function cellsOf({ task, needs, at }: OutlookTask): string[] {
  return [
    task.id,
    String(task.phase),
    oneLine(task.name, 60),
    needs.length === 0 ? '-' : needs.join(', '),
    at,
    String(task.estimate_hours),
  ];
}

function estimateLines(estimate: PlanEstimate): readonly string[] {
  const { tasks, hours, longestHours, launches, tokens, costUsd, turns } = estimate;
  if (tasks === 0) return ['estimate      nothing is left to do'];
  const amount = tokens === null ? 'unknown' : Math.round(tokens).toLocaleString('en-US');
  const from = turns === 0 ? '' : ` (from ${counted(turns, 'earlier turn')})`;
  return [
    `time          ${rounded(hours)} h in total by the tasks' estimates, ${rounded(longestHours)} h on the critical path`,
    `launches      ${launches}: an executor and a verifier for each of ${counted(tasks, 'task')}, plus any healing turns`,
    ...followLines(estimate),
    `tokens        ${amount}${from}`,
    `cost          ${money(costUsd)}${from}`,
  ];
}

function followLines({ mayFollow }: PlanEstimate): readonly string[] {
  if (mayFollow === 0) return [];
  const what = mayFollow === 1 ? 'task that is done runs' : 'tasks that are done run';
  return [
    `              ${mayFollow} ${what} again if what ${mayFollow === 1 ? 'it needs' : 'they need'} comes out different`,
  ];
}

function rounded(hours: number): string {
  return String(Math.round(hours * 10) / 10);
}

/** The same for programs, and the graph for those who draw it. */
export function outlookJson(outlook: PlanOutlook): Output<'plan-show'> {
  const { plan, changed, tasks, steelThread, added, agents, estimate, uncommitted, risks } = outlook;
  return {
    plan: plan.name,
    phase: plan.phase,
    target_dir: plan.targetDir,
    verdict: plan.verdict?.verdict ?? null,
    approval: isAboutThese(plan, changed) ? (plan.approval?.said ?? null) : null,
    tasks: tasks.map(({ task, needs, at }) => ({
      id: task.id,
      name: task.name,
      phase: task.phase,
      status: at,
      needs,
      behaviors: task.behaviors,
      files: task.files.map(({ path, action }) => ({ path, action })),
      acceptance_criteria: task.acceptance_criteria,
      estimate_hours: task.estimate_hours,
    })),
    steel_thread: steelThread,
    one_by_one: added,
    agents,
    estimate: {
      tasks: estimate.tasks,
      hours: estimate.hours,
      longest_chain_hours: estimate.longestHours,
      launches: estimate.launches,
      may_follow: estimate.mayFollow,
      tokens: estimate.tokens === null ? null : Math.round(estimate.tokens),
      cost_usd: estimate.costUsd,
      from_turns: estimate.turns,
    },
    uncommitted,
    risks,
    mermaid: mermaidText(outlook),
  };
}

export function mermaidText({ tasks }: PlanOutlook): string {
  return mermaidOf(tasks.map(({ task, needs }) => ({ id: task.id, name: task.name, needs })));
}
