import type { Outcome } from '../../model/outcome.ts';
import { executeRunId, planRunId } from '../../model/plan/task-row.ts';
import { describeLoss } from '../../app/recovery/loss.ts';
import { planAgainHint } from '../../app/recovery/lost-plan.ts';
import { recover as recoverProject, type Recovered, type Replaced } from '../../app/recovery/recover.ts';
import { locate } from '../../app/tutti.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../render/counted.ts';

export async function recover({ json }: JsonFlag, context: Context): Promise<Outcome> {
  const { folder, env } = context;
  const place = locate({ folder, env, despiteConfig: true });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const recovered = await recoverProject(place.value);
  if (!recovered.ok) return fail(context, recovered.error, json);
  if (json) printJson(context, jsonOf(recovered.value));
  else printLines(context, linesOf(recovered.value));
  return recovered.value.lost.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS';
}

function linesOf({ replaced, runs, sessions, found, living, halted, lost }: Recovered): readonly string[] {
  const what = `${counted(runs, 'run')} and ${counted(sessions, 'session')}`;
  const plans = lost.flatMap((loss) => (loss.what === 'plan' ? [loss.id] : []));
  const resumable = halted.filter(
    (id) => !plans.some((plan) => [planRunId(plan), executeRunId(plan)].includes(id)),
  );
  const [first] = resumable;
  return [
    ...(replaced === null ? [`the database is in order: ${what}`] : replacedLines(replaced, what)),
    ...found.map((id) => `  found again: session ${id}, which has ended`),
    ...living.map((id) => `  still works: session ${id}`),
    ...lost.map((loss) => `  lost: ${describeLoss(loss)}`),
    ...(first === undefined
      ? []
      : [`  → ${counted(resumable.length, 'run')} halted; continue: tutti resume ${first}`]),
    ...plans.map((plan) => `  → plan ${plan}: ${planAgainHint(plan)}`),
    ...(replaced === null ? [] : ['  → write the views again: tutti rebuild']),
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

function jsonOf({ replaced, ...rest }: Recovered): object {
  const from = replaced?.from ?? null;
  const copiedAt = from?.copiedAt ?? null;
  return {
    ...rest,
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
