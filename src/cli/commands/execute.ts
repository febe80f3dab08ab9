import { orphansOf } from '../../app/plans/executing/orphans.ts';
import {
  type ExecuteRequest,
  type PreparedExecute,
  prepareExecute,
} from '../../app/plans/executing/prepare-execute.ts';
import { startExecute } from '../../app/plans/executing/start-execute.ts';
import type { FoundPlan } from '../../app/plans/find-plan.ts';
import { clearInterrupt } from '../../app/plans/agent-led/clear-halt.ts';
import { planStatus } from '../../app/plans/agent-led/plan-status.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { refuseHeld } from '../../app/runs/run-holder.ts';
import type { Tutti } from '../../app/tutti.ts';
import { err, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { UndeclaredPolicy } from '../../model/plan/execute-input.ts';
import { executeRunId } from '../../model/plan/task-row.ts';
import type { Output } from '../../model/schemas/published.ts';
import { admitPlan } from '../admit.ts';
import { type CeilingFlags, ceilingsOf } from '../ceilings.ts';
import { confirmed } from '../confirm.ts';
import type { Context } from '../context.ts';
import { defineCommand, switchFlag, trustFlag, type TrustFlag } from '../define-command.ts';
import { advance } from '../advance.ts';
import { fail } from '../fail.ts';
import {
  ceilingFlags,
  detachFlag,
  listFlag,
  parallelFlag,
  planFlags,
  taskArgument,
  undeclaredFlag,
} from '../plan-flags.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../../lib/counted.ts';
import { checkoutLines } from '../render/plan-outlook.ts';
import { sayFoundDriver } from '../say-driver.ts';
import { sayLand } from '../say-land.ts';

export interface ExecuteFlags extends PlanFlags, CeilingFlags, TrustFlag {
  readonly task?: readonly string[];
  readonly parallel?: number;
  readonly undeclared?: UndeclaredPolicy;
  readonly batch: boolean;
  readonly interactive: boolean;
  readonly verify: boolean;
  readonly refresh: boolean;
  readonly detach: boolean;
}

export const command = defineCommand<ExecuteFlags, []>({
  reads: false,
  parameters: {
    flags: {
      task: {
        ...listFlag('Run only this task (repeatable)', 'ID'),
        proposeCompletions: taskArgument.proposeCompletions,
      },
      parallel: parallelFlag,
      batch: switchFlag('Do not ask before each task (the default)'),
      interactive: switchFlag('Ask before each task, and run one at a time'),
      undeclared: undeclaredFlag,
      verify: { kind: 'boolean', brief: 'Have a second agent verify each task', default: true },
      refresh: switchFlag('Reload agent files'),
      ...ceilingFlags,
      detach: detachFlag,
      trust: trustFlag,
      ...planFlags,
    },
  },
  about:
    "Each task runs in its own checkout as soon as the tasks it needs are done. Tutti runs the task's\n" +
    'acceptance criteria, a second agent verifies the work, and Tutti commits it to the branch\n' +
    'tutti/PLAN/integration. Your checkout does not change until `tutti land`. A failed task blocks only\n' +
    'the tasks that need it. Run `tutti execute` again to retry failed tasks; done tasks do not run\n' +
    'again. The command does not ask before it starts.',
  examples: [
    ['tutti execute', 'run all open tasks, three at a time'],
    ['tutti execute --parallel 5', 'run five tasks at a time'],
    ['tutti execute --task T005', 'run one task'],
    ['tutti execute --max-cost 20', 'spend about 20 dollars at most'],
    ['tutti execute --interactive', 'ask before each task'],
  ],
  run: execute,
});

async function execute(flags: ExecuteFlags, context: Context): Promise<Outcome> {
  const { json } = flags;
  if (flags.interactive && (flags.batch || flags.detach || json)) {
    const message = '--interactive asks before each task, and cannot be had with --batch, --detach or --json';
    return fail(context, refusal('USAGE', message, 'leave one of them out'), json);
  }
  const admitted = await admitPlan(context, flags, executeRunId);
  if (!admitted.ok) return fail(context, admitted.error, json);
  return withPlan(context, flags, async (tutti, chosen): Promise<Outcome> => {
    sayFoundDriver(context, flags, tutti.config);
    const held = await refuseHeld(tutti, executeRunId(chosen.plan.name));
    if (held !== null) return fail(context, held, json);
    const found = await clearInterrupt(tutti, chosen);
    if (!found.ok) return fail(context, found.error, json);
    return flags.interactive
      ? oneByOne(context, tutti, found.value, flags)
      : executePlan(context, tutti, found.value, flags);
  });
}

/** All that is open, as many at a time as wanted. A person approved exactly these tasks, and is not asked again. */
export async function executePlan(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  flags: ExecuteFlags,
  told: readonly string[] = [],
): Promise<Outcome> {
  const { json } = flags;
  const prepared = await lookedAt(context, tutti, found, requestOf(flags, flags.task ?? null), {
    json,
    told,
  });
  if (!prepared.ok) return fail(context, prepared.error, json);
  if (prepared.value.toDo.length > 0) return executeTasks(context, tutti, prepared.value, flags);
  return (await isUnderWay(tutti, found))
    ? driveToItsEnd(context, tutti, found, flags)
    : nothingToDo(context, tutti, found, json);
}

/** A process that was killed after the last task was done leaves a run that still has to end. */
async function isUnderWay({ queries }: Tutti, { plan }: FoundPlan): Promise<boolean> {
  return (await queries.run(executeRunId(plan.name)))?.state.at === 'running';
}

async function driveToItsEnd(
  context: Context,
  tutti: Tutti,
  { plan }: FoundPlan,
  { detach, json }: Pick<ExecuteFlags, 'detach' | 'json'>,
): Promise<Outcome> {
  const runId = executeRunId(plan.name);
  const after = await tutti.queries.lastSeq(runId);
  const outcome = await advance(context, tutti, { runId, after, detach, json });
  if (outcome === 'SUCCESS' && !detach) await sayLand(context, tutti, plan, json);
  return outcome;
}

interface Told {
  readonly json: boolean;
  /** Lines about the checkout that the command has printed already. */
  readonly told?: readonly string[];
}

/** What speaks against executing, and which task files changed since. */
async function lookedAt(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  request: ExecuteRequest,
  { json, told = [] }: Told,
): Promise<Result<PreparedExecute, Refusal>> {
  const lost = (await orphansOf(tutti, found.plan.name)).filter((orphan) => orphan.of === 'agent');
  const [first] = lost;
  if (first !== undefined) {
    const named = lost.map(({ id, by }) => `${id} (${by})`).join(', ');
    const message = `${counted(lost.length, 'task')} marked as running without a process: ${named}`;
    const hint = `try again: tutti task retry ${first.id}; leave it: tutti task skip ${first.id}`;
    return err(refusal('FAILURE', message, hint));
  }
  const prepared = await prepareExecute(tutti, found, request);
  if (prepared.ok && !json) {
    const { edits, note, checkout } = prepared.value;
    const lines = checkout === null ? [] : checkoutLines(checkout);
    const notes = [
      ...(edits === null ? [] : [`task files changed: ${oneLine(edits, 500)}`]),
      ...(note === null ? [] : [note]),
      ...lines.filter((line) => !told.includes(line)),
    ];
    for (const line of notes) context.process.stderr.write(`${line}\n`);
  }
  return prepared;
}

async function nothingToDo(
  context: Context,
  tutti: Tutti,
  { plan }: FoundPlan,
  json: boolean,
): Promise<Outcome> {
  const { total, board } = await planStatus(tutti, plan);
  if (json)
    printJson<Output<'execute'>>(context, {
      plan: plan.name,
      run_id: executeRunId(plan.name),
      tasks: total,
      to_do: 0,
    });
  else printLines(context, [nothingToDoLine(plan.name, total, board.done.length)]);
  await sayLand(context, tutti, plan, json);
  return 'SUCCESS';
}

/** Tasks that were not asked for, or that a person skipped, are not done. */
function nothingToDoLine(plan: string, total: number, done: number): string {
  return done === total
    ? `plan ${plan}: all ${counted(total, 'task')} done, nothing to do`
    : `plan ${plan}: nothing to do, and ${done} of ${counted(total, 'task')} done`;
}

async function executeTasks(
  context: Context,
  tutti: Tutti,
  prepared: PreparedExecute,
  { detach, json, interactive }: Pick<ExecuteFlags, 'detach' | 'json' | 'interactive'>,
): Promise<Outcome> {
  const { name } = prepared.found.plan;
  const after = await tutti.queries.lastSeq(executeRunId(name));
  const started = await startExecute(tutti, prepared);
  if (!started.ok) return fail(context, started.error, json);
  const outcome = await advance(context, tutti, { runId: started.value.runId, after, detach, json });
  if (outcome === 'SUCCESS' && !detach && !interactive)
    await sayLand(context, tutti, prepared.found.plan, json);
  return outcome;
}

/** The next task that may start, with a question before each. */
async function oneByOne(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  flags: ExecuteFlags,
): Promise<Outcome> {
  const looked = await lookedAt(context, tutti, found, requestOf(flags, flags.task ?? null), { json: false });
  if (!looked.ok) return fail(context, looked.error, false);
  if (looked.value.toDo.length === 0) return nothingToDo(context, tutti, found, false);
  const asked = new Set<string>();
  const declined: string[] = [];
  let last: Outcome = 'SUCCESS';
  for (;;) {
    const { board } = await planStatus(tutti, found.plan);
    const open = [...board.ready, ...board.failed].filter((id) => flags.task?.includes(id) ?? true);
    const id = open.find((each) => !asked.has(each));
    if (id === undefined) {
      if (declined.length > 0) printLines(context, declinedLines(found, declined, asked.size));
      if (board.done.length > 0) await sayLand(context, tutti, found.plan, false);
      return open.length > 0 && last === 'SUCCESS' ? 'PARTIAL_SUCCESS' : last;
    }
    asked.add(id);
    const name = oneLine((await tutti.queries.plans.node(found.plan.name, id))?.name ?? '', 60);
    const yes = await confirmed(context, {
      question: `${id} ${name}: execute it?`,
      force: false,
      json: false,
      flag: '--batch',
    });
    if (!yes.ok) return fail(context, yes.error, false);
    if (!yes.value) {
      declined.push(id);
      continue;
    }
    const prepared = await prepareExecute(tutti, found, requestOf(flags, [id]));
    if (!prepared.ok) return fail(context, prepared.error, false);
    last = await executeTasks(context, tutti, prepared.value, flags);
    if (last === 'HALTED' || last === 'INTERRUPTED') return last;
  }
}

/** What a person was asked about and answered no to. */
function declinedLines({ plan }: FoundPlan, declined: readonly string[], asked: number): readonly string[] {
  const what = declined.length === asked ? 'no task was executed; you left out' : 'you left out';
  return [
    `plan ${plan.name}: ${what} ${declined.join(', ')}`,
    `  → execute what is open: tutti execute --plan ${plan.name}; or be asked again: tutti execute --interactive --plan ${plan.name}`,
  ];
}

function requestOf(flags: ExecuteFlags, tasks: readonly string[] | null): ExecuteRequest {
  const { parallel = null, undeclared = null, verify, refresh, detach } = flags;
  const budget = ceilingsOf(flags);
  return { parallel, tasks, undeclared, verify, refresh, detach, budget };
}
