import { editsHint } from '../../app/plan-record/edited-tasks.ts';
import { changedTaskFiles } from '../../app/plans/changed-tasks.ts';
import { branchSentence, deliverPlan, switchedBranch } from '../../app/plans/deliver-plan.ts';
import type { Tutti } from '../../app/tutti.ts';
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
import { counted } from '../../lib/counted.ts';
import { oneLine } from '../../lib/terminal-text.ts';

interface LandFlags extends PlanFlags {
  readonly into?: string;
}

export const command = defineCommand<LandFlags, []>({
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
  },
  about:
    '`plan` and `execute` never write to your checkout; only `land` does. It refuses, and lists the\n' +
    'files, if it would overwrite uncommitted changes or if both sides changed the same lines. If you\n' +
    'have switched branches since the plan started, it asks first, or requires --into if there is no\n' +
    'terminal.',
  examples: [
    ['tutti land', 'merge into the current branch'],
    ['tutti land --into release', 'merge only if the checkout is on release'],
  ],
  run: land,
});

function land(flags: LandFlags, context: Context): Promise<Outcome> {
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
