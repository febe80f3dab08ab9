import type { Result } from '../../../lib/result.ts';
import { failure } from '../../../model/failure.ts';
import type { TakenOver } from '../../../model/plan/execute-parts.ts';
import { ownPaths, type TaskRow } from '../../../model/plan/task-row.ts';
import type { HandWork, TaskState } from '../../../model/plan/task-state.ts';
import type { Target } from '../../../model/workspace.ts';
import { snapshot } from '../../../workspace/snapshot.ts';
import { type TakeEnd, takeOver } from '../../../workspace/take-over.ts';
import { done, failed, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { SeveralCommands } from './several-commands.ts';
import { verifier } from './task-land.ts';

type NotTaken = Exclude<TakeEnd, { at: 'taken' | 'there' }>;

/** Puts what was done in the operator's own folder onto the integration branch, in the order in which it was done. */
export async function planTakeOver(call: OperationCall<'plan-take-over'>): Promise<OperationEnd<TakenOver>> {
  const { plan, target, tasks, timeoutMs } = call.args;
  const { parts } = call;
  const rows = await parts.queries.plans.tasks(plan);
  const works = handWorks(rows.filter((row) => tasks.includes(row.task.id)));
  if (works.length === 0) return done({ taken: [] });
  const commands = await SeveralCommands.of(call);
  const now = await nowOf(target, works);
  if (!now.ok) return failed(now.error);
  const taken: { task: string; commit: string }[] = [];
  for (const [index, { row, work, attempt }] of works.entries()) {
    const { id, name } = row.task;
    const end = await takeOver(
      target,
      {
        ...work,
        task: id,
        attempt,
        message: `${id}: ${name}`,
        trailers: { 'Tutti-Task': id, 'Tutti-Run': call.attempt.runId, 'Tutti-Agent': work.by },
      },
      {
        now: now.value,
        later: laterPaths(works.slice(index + 1), rows),
        verify: verifier(call, { plan, task: id, target, timeoutMs, env: {} }, commands),
      },
    );
    if (commands.noEnd !== null && !(end.ok && end.value.at === 'taken')) return withoutEnd(commands.noEnd);
    if (!end.ok) return failed(`${id} was done by hand: ${end.error}`);
    if (end.value.at === 'taken') {
      taken.push({ task: id, commit: end.value.commit });
      const message = `${id}: done by hand by ${work.by}, now on the integration branch`;
      const entry = { level: 'INFO', agent: 'orchestrator', event: 'take-over', message } as const;
      await logActivity(parts, planPathsOf(parts.paths, plan), entry);
    } else if (end.value.at !== 'there') return notTaken(id, end.value);
  }
  return done({ taken });
}

interface WorkByHand {
  readonly row: TaskRow;
  readonly work: HandWork;
  readonly attempt: number;
}

/** What needs something was done after it, so the order of their ends is one in which they can be taken. */
function handWorks(rows: readonly TaskRow[]): readonly WorkByHand[] {
  const ended = ({ state }: TaskRow): number => (state.at === 'done' ? state.endedAt : 0);
  return rows
    .toSorted((a, b) => ended(a) - ended(b))
    .flatMap((row) => {
      const { state } = row;
      if (state.at !== 'done' || state.byHand === undefined) return [];
      return [{ row, work: state.byHand, attempt: state.attempt }];
    });
}

function nowOf(target: Target, works: readonly WorkByHand[]): Promise<Result<string, string>> {
  return snapshot(target, 'take-over', [...new Set(works.flatMap(({ work }) => work.paths))]);
}

/** What is not as a task left it, because somebody went on from there. */
function laterPaths(works: readonly WorkByHand[], rows: readonly TaskRow[]): ReadonlySet<string> {
  const isAtWork = (state: TaskState): boolean => state.at === 'running' && state.snapshot !== null;
  return new Set([
    ...works.flatMap(({ work }) => work.paths),
    ...rows.flatMap((row) => (isAtWork(row.state) ? ownPaths(row) : [])),
  ]);
}

function notTaken(id: string, end: NotTaken): OperationEnd<never> {
  const message = `${id} was done by hand, and ${whyNot(end)}: tutti task retry ${id}`;
  const output = end.at === 'broken' ? end.output : end.files.join('\n');
  return {
    at: 'failed',
    failure: failure('gate', message, {
      outcome: 'NEEDS_ESCALATION',
      evidence: { category: 'validation', output },
    }),
  };
}

function whyNot(end: NotTaken): string {
  switch (end.at) {
    case 'changed':
      return `${end.files.join(', ')} changed since; put it back as it was, or do it again`;
    case 'conflict':
      return `others changed the same lines of ${end.files.join(', ')} on the integration branch; do it again there`;
    case 'broken':
      return `on the integration branch '${end.criterion}' of ${end.task} does not pass; do it again there`;
  }
}
