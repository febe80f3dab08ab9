import { editsHint } from '../../app/plan-record/edited-tasks.ts';
import { changedTaskFiles } from '../../app/plans/changed-tasks.ts';
import { branchSentence, deliverPlan, switchedBranch } from '../../app/plans/deliver-plan.ts';
import { refusal } from '../../app/refusal.ts';
import { required } from '../../app/runs/find-run.ts';
import type { Tutti } from '../../app/tutti.ts';
import { familyOf } from '../../model/family.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { Output } from '../../model/schemas/published.ts';
import { confirmed } from '../confirm.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { fail } from '../fail.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';
import { counted } from '../../lib/counted.ts';
import { oneLine } from '../../lib/terminal-text.ts';

interface LandFlags extends PlanFlags {
  readonly into?: string;
}

export const command = defineCommand<LandFlags, [run?: string]>({
  reads: false,
  parameters: {
    flags: {
      into: {
        kind: 'parsed',
        parse: String,
        brief: 'Fail unless your checkout is on this branch',
        placeholder: 'BRANCH',
        optional: true,
      },
      ...planFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Run whose work to merge; default: the newest plan',
          placeholder: 'RUN',
          optional: true,
          proposeCompletions: proposeRuns,
        },
      ],
    },
  },
  about:
    '`plan` and `execute` never write to your checkout; only `land` does. It refuses, and lists the\n' +
    'files, if it would overwrite uncommitted changes or if both sides changed the same lines. If you\n' +
    'have switched branches since the plan started, it asks first, or requires --into if there is no\n' +
    'terminal.',
  examples: [
    ['tutti land', 'merge into the current branch'],
    ['tutti land --into release', 'merge only if the checkout is on release'],
    ['tutti land shop-execute', 'merge the work of a run'],
  ],
  run: land,
});

async function proposeRuns(this: Context, partial: string): Promise<readonly string[]> {
  const { runIds } = await import('../completions/ids.ts');
  return runIds(this, partial);
}

/** A run of a plan stands for its plan. */
async function land(flags: LandFlags, context: Context, runId?: string): Promise<Outcome> {
  if (runId === undefined) return landPlan(flags, context);
  const { json } = flags;
  if (flags.plan !== undefined) {
    const both = refusal('USAGE', 'a run and --plan are given', 'give one of the two: tutti land RUN');
    return fail(context, both, json);
  }
  const found = await findRun(context, flags, runId);
  if (typeof found === 'string') return found;
  const { plan, staysInProject, root } = found;
  if (plan !== null) return landPlan({ ...flags, plan }, context);
  if (!staysInProject) {
    const message = `run ${runId} has no integration branch`;
    return fail(context, refusal('USAGE', message, `look at it: tutti report ${runId}`), json);
  }
  const said = { run_id: runId, target_dir: root, at: 'in-place' } as const;
  if (json) printJson<Output<'land'>>(context, said);
  else printLines(context, [`run ${runId} worked in ${root} itself: there is nothing to merge`]);
  return 'SUCCESS';
}

interface LandableRun {
  /** Null: it is a run of no plan. */
  readonly plan: string | null;
  /** Its work is in the folder of the project already. */
  readonly staysInProject: boolean;
  readonly root: string;
}

/** Or the outcome of a run that cannot be found, which was said. */
async function findRun(context: Context, flags: LandFlags, runId: string): Promise<LandableRun | Outcome> {
  const found: LandableRun[] = [];
  const outcome = await withProject(context, flags, async (tutti) => {
    const run = await required(tutti, runId);
    if (!run.ok) return fail(context, run.error, flags.json);
    const { isOfPlan, staysInProject } = familyOf(run.value);
    found.push({ plan: isOfPlan ? planOfRunId(runId) : null, staysInProject, root: tutti.paths.root });
    return 'SUCCESS';
  });
  return found[0] ?? outcome;
}

function landPlan(flags: LandFlags, context: Context): Promise<Outcome> {
  const { json } = flags;
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const into = flags.into ?? (await askForBranch(context, tutti, found.plan, json));
    if (into === null) return 'INTERRUPTED';
    const delivered = await deliverPlan(tutti, found, into, (sentence) => {
      context.process.stderr.write(`tutti: ${oneLine(sentence, 500)}\n`);
    });
    if (!delivered.ok) return fail(context, delivered.error, json);
    const { delivery, done, total, next } = delivered.value;
    const { name, targetDir } = found.plan;
    if (json) {
      printJson<Output<'land'>>(context, {
        plan: name,
        target_dir: targetDir,
        done,
        tasks: total,
        ...delivery,
      });
      return 'SUCCESS';
    }
    const what =
      delivery.at === 'nothing'
        ? `${targetDir} has everything that landed already`
        : `merged ${counted(delivery.files, 'file')} of plan ${name} into ${targetDir}${onBranch(delivery.branch)} (commit ${delivery.commit.slice(0, 12)})`;
    const rest =
      done < total
        ? [`  → ${total - done} of ${counted(total, 'task')} are not done${next === null ? '' : `; ${next}`}`]
        : [];
    const edits = await changedTaskFiles(tutti, found);
    const later =
      edits === null
        ? []
        : [`  → task files were edited since (${edits}); ${await editsHint(tutti, found.plan, true)}`];
    printLines(context, [what, ...rest, ...later]);
    return 'SUCCESS';
  });
}

function onBranch(branch: string | null): string {
  return branch === null ? '' : ` on branch ${branch}`;
}

/** Undefined: there is nothing to ask, or no one at a terminal. Null: the person said no. */
async function askForBranch(
  context: Context,
  tutti: Tutti,
  plan: PlanRecord,
  json: boolean,
): Promise<string | undefined | null> {
  if (!context.input.isTerminal || json) return undefined;
  const other = await switchedBranch(tutti, plan);
  if (other === null) return undefined;
  const sentence = branchSentence(plan.name, other);
  const question = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. Land it on ${other.current}?`;
  const yes = await confirmed(context, { question, force: false, json, flag: `--into ${other.current}` });
  if (yes.ok && yes.value) return other.current;
  context.process.stderr.write(
    `  → nothing was landed; to land on ${other.first}: git switch ${other.first}\n`,
  );
  return null;
}
