import { describeLoss } from '../../app/recovery/loss.ts';
import { planAgainHint } from '../../app/recovery/lost-plan.ts';
import {
  type Recovered,
  recover as recoverProject,
  type Replaced,
  type SecondCopy,
} from '../../app/recovery/recover.ts';
import type { RemovedRuns } from '../../app/recovery/removed-runs.ts';
import { locate } from '../../app/tutti.ts';
import { firstFew } from '../../lib/first-few.ts';
import type { Outcome } from '../../model/outcome.ts';
import { executeRunId, planRunId } from '../../model/plan/task-row.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { recordStops, settleHalts } from '../../app/runs/after-recovery.ts';
import { counted } from '../../lib/counted.ts';
import { unknownRunLines } from '../render/unknown-run-lines.ts';

interface RecoverFlags extends JsonFlag {
  readonly removed: boolean;
}

export const command = defineCommand<RecoverFlags, []>({
  reads: false,
  parameters: {
    flags: { removed: switchFlag('Also restore the runs of a deleted .tutti/'), json: jsonFlag },
  },
  about:
    'Restores the newest good copy of .tutti/tutti.db and the changes made after it, and reads the\n' +
    'directories of sessions that the copy does not contain. Keeps the old file in .tutti/damaged. If an\n' +
    'item cannot be restored, lists it and exits with 12. If .tutti/ was deleted and recreated, lists the\n' +
    'runs of the deleted one; --removed restores them.',
  examples: [
    ['tutti recover', 'restore, and list what is lost'],
    ['tutti recover --removed', 'also restore the runs of a deleted .tutti/'],
    ['tutti recover --json', 'print JSON'],
  ],
  run: recover,
});

async function recover({ json, removed }: RecoverFlags, context: Context): Promise<Outcome> {
  const { folder, env } = context;
  const place = locate({ folder, env, despiteConfig: true });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const recovered = await recoverProject(place.value, { bringBack: removed, recordStops, settleHalts });
  if (!recovered.ok) return fail(context, recovered.error, json);
  if (json) printJson(context, jsonOf(recovered.value));
  else printLines(context, linesOf(recovered.value));
  return recovered.value.lost.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS';
}

function linesOf(recovered: Recovered): readonly string[] {
  const { replaced, secondCopy, runs, sessions, found, living, halted, lost, planFiles, removed, unknown } =
    recovered;
  const { stopped } = recovered;
  const what = `${counted(runs, 'run')} and ${counted(sessions, 'session')}`;
  const plans = lost.flatMap((loss) => (loss.what === 'plan' ? [loss.id] : []));
  const resumable = halted.filter(
    (id) => !plans.some((plan) => [planRunId(plan), executeRunId(plan)].includes(id)),
  );
  const [first] = resumable;
  return [
    ...(replaced === null ? [`the database is in order: ${what}`] : replacedLines(replaced, what)),
    ...copyLines(secondCopy),
    ...(planFiles.length === 0
      ? []
      : [`  restored ${counted(planFiles.length, 'file')} of plans: ${firstFew(planFiles, 10)}`]),
    ...found.map((id) => `  found again: session ${id}, which has ended`),
    ...living.filter((id) => !isLost(lost, id)).map((id) => `  still works: session ${id}`),
    ...lost.map((loss) => `  lost: ${describeLoss(loss)}`),
    ...stopped.map((id) => `  stopped before, and stays stopped: run ${id}`),
    ...removedLines(removed),
    ...(first === undefined
      ? []
      : [`  → ${counted(resumable.length, 'run')} halted; continue: tutti resume ${first}`]),
    ...plans.map((plan) => `  → plan ${plan}: ${planAgainHint(plan)}`),
    ...(replaced === null && !hasBroughtBack(removed) ? [] : ['  → write the views again: tutti rebuild']),
    ...unknownRunLines(unknown),
  ];
}

function copyLines({ lacked, isComplete }: SecondCopy): readonly string[] {
  if (lacked === 0) return [];
  const changes = counted(lacked, 'change');
  return isComplete
    ? [`  its second copy lacked ${changes}; all of it was copied again`]
    : [`  its second copy lacks ${changes} and cannot be written now`, '  → see why: tutti doctor'];
}

function isLost(lost: Recovered['lost'], session: string): boolean {
  return lost.some((loss) => loss.what === 'session' && loss.id === session);
}

function hasBroughtBack({ isBroughtBack, runs, plans }: RemovedRuns): boolean {
  return isBroughtBack && runs.length + plans.length > 0;
}

/** What is kept of a state that was removed from here, or was brought back from it. */
function removedLines({
  runs,
  sessions,
  plans,
  taken,
  isBroughtBack,
  folder,
}: RemovedRuns): readonly string[] {
  const names = [...plans.map((plan) => `plan ${plan}`), ...runs];
  const what = `${counted(runs.length, 'run')} and ${counted(sessions.length, 'session')}`;
  const found = `${what} of a state that was removed from here: ${firstFew(names, 10)}`;
  const left = taken.map((one) => `  not brought back: ${one}, because there is a newer one of that name`);
  if (isBroughtBack)
    return [
      ...(names.length + left.length === 0
        ? ['  nothing else is kept of a state that was removed from here']
        : []),
      ...(names.length === 0 ? [] : [`  brought back: ${found}`]),
      ...left,
      ...(left.length === 0 ? [] : [`  its record stays in ${folder}`]),
    ];
  return [
    ...(names.length === 0 ? [] : [`  kept: ${found}`, '  → bring them back: tutti recover --removed']),
    ...taken.map(
      (one) => `  kept in ${folder}: an older ${one}; a newer one has its name, so it stays there`,
    ),
  ];
}

function replacedLines({ was, from, kept }: Replaced, what: string): readonly string[] {
  return [
    `restored ${what}: the database was ${was}`,
    ...(from === null ? [] : [`  from ${sourceOf(from)}, as of ${instant(from.asOf)}`]),
    ...(kept === null ? [] : [`  the old file is kept: ${kept}`]),
  ];
}

function sourceOf({ copiedAt, changes }: NonNullable<Replaced['from']>): string {
  const after = counted(changes, 'change');
  return copiedAt === null ? after : `the copy of ${instant(copiedAt)} and ${after} after it`;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

function jsonOf({ replaced, secondCopy, planFiles, removed, unknown, ...rest }: Recovered): object {
  const { runs, sessions, plans, taken, isBroughtBack, folder } = removed;
  const from = replaced?.from ?? null;
  const copiedAt = from?.copiedAt ?? null;
  return {
    ...rest,
    second_copy: { lacked: secondCopy.lacked, complete: secondCopy.isComplete },
    plan_files: planFiles,
    unknown_runs: unknown,
    removed: { runs, sessions, plans, not_brought_back: taken, brought_back: isBroughtBack, folder },
    lost: rest.lost.map((loss) => ({ ...loss, message: describeLoss(loss) })),
    replaced:
      replaced === null
        ? null
        : {
            was: replaced.was,
            kept: replaced.kept,
            copied_at: copiedAt === null ? null : instant(copiedAt),
            changes: from?.changes ?? 0,
            as_of: from === null ? null : instant(from.asOf),
          },
  };
}
