import { checkArtifact, type LoadedTasks } from '../../../app/plans/agent-led/check-artifact.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { type ArtifactName, artifactNames } from '../../../model/plan/plan-record.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { oneOf } from '../../parsers.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../../lib/counted.ts';

export const command = defineCommand<PlanFlags, [artifact: (typeof artifactNames)[number]]>({
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(artifactNames),
          brief: artifactNames.join(', '),
          placeholder: 'ARTIFACT',
          proposeCompletions: (partial) => artifactNames.filter((name) => name.startsWith(partial)),
        },
      ],
    },
  },
  about:
    'Exits with 1 and prints the file, location and reason of each error. Records the digest of a valid\n' +
    'artifact.',
  examples: [
    ['tutti plan validate capability_map', 'check the capability map'],
    ['tutti plan validate physical_map', 'check the physical map'],
  ],
  run: validate,
});

export function validate(flags: PlanFlags, context: Context, artifact: ArtifactName): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const checked = await checkArtifact(tutti, found, artifact);
    if (!checked.ok) return fail(context, checked.error, flags.json);
    const { plan, digest, tasks, recorded } = checked.value;
    if (flags.json) {
      printJson<Output<'plan-validate'>>(context, {
        plan: plan.name,
        artifact,
        digest,
        phase: plan.phase,
        tasks,
        recorded,
      });
    } else {
      printLines(context, [
        `${artifact} is valid (${digest})`,
        ...(recorded ? [] : ['  not recorded from inside a sandbox; Tutti looks at it again by itself']),
        ...(tasks === null ? [] : taskLines(tasks)),
        ...(plan.phase === found.plan.phase
          ? []
          : [`  → it is another one: the plan is back in phase ${plan.phase}`]),
      ]);
    }
    return 'SUCCESS';
  });
}

function taskLines({ total, changed, removed, added }: LoadedTasks): readonly string[] {
  return [
    `${counted(total, 'task')} loaded, ${changed.length} of them new or changed, ${removed.length} removed`,
    ...added.map(({ before, after, file }) => `${after} comes after ${before}: both own ${oneLine(file)}`),
  ];
}
