import { basename, resolve } from 'node:path';
import { readNamedFile } from '../../../app/confinement.ts';
import { nameOf, projectOfPlan } from '../../../app/plans/find-plan.ts';
import { type InitialisedPlan, initPlan, wrongWith } from '../../../app/plans/agent-led/init-plan.ts';
import { refusal, type Refusal } from '../../../app/refusal.ts';
import { locate } from '../../../app/tutti.ts';
import { slug } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags, targetFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { withNewProject } from '../../project.ts';

interface InitPlanFlags extends PlanFlags {
  readonly new: boolean;
  readonly existing: boolean;
  readonly stack?: string;
  readonly spec?: string;
}

export const command = defineCommand<InitPlanFlags, [target?: string]>({
  reads: false,
  parameters: {
    flags: {
      ...targetFlags,
      spec: {
        kind: 'parsed',
        parse: String,
        brief: 'Specification file; - reads standard input',
        placeholder: 'FILE',
        optional: true,
      },
      ...planFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Directory for the code; default: the project',
          placeholder: 'TARGET_DIR',
          optional: true,
        },
      ],
    },
  },
  about:
    'Prints the absolute path of the plan directory. Pass it to agents as TUTTI_PLAN_DIR. Run it again to\n' +
    'change only the options you pass; a new specification resets the phases that depend on the old one.',
  examples: [
    ['tutti plan init . --spec spec.md', 'plan changes to this project'],
    ['PLAN_DIR=$(tutti plan init app --new --plan shop)', 'store the path in a variable'],
    ['tutti plan init --plan shop --spec - < spec.md', 'read standard input'],
  ],
  run: init,
});

const maxSpecBytes = 16 * 1024 * 1024;

async function init(flags: InitPlanFlags, context: Context, target?: string): Promise<Outcome> {
  const { json, plan, stack = null } = flags;
  const { env } = context;
  if (flags.new && flags.existing) {
    return fail(context, refusal('USAGE', 'either --new or --existing, not both', 'give one'), json);
  }
  const spec = await specOf(context, flags.spec);
  if (!spec.ok) return fail(context, spec.error, json);
  const folder = projectOfPlan({ folder: context.folder, env, plan });
  const place = locate({ folder, env });
  if (!place.ok) return fail(context, place.error, json);
  const targetDir = target === undefined ? null : resolve(context.folder, target);
  const request = {
    name: nameOf(env, plan) ?? slug(basename(targetDir ?? place.value.paths.root)),
    targetDir,
    projectType: flags.new ? ('new' as const) : flags.existing ? ('existing' as const) : null,
    stack,
    spec: spec.value,
  };
  const wrong = wrongWith(request);
  if (wrong !== null) return fail(context, wrong, json);
  return withNewProject({ ...context, folder }, { json, detach: true }, async (tutti) => {
    const made = await initPlan(tutti, request);
    if (!made.ok) return fail(context, made.error, json);
    print(context, made.value, json);
    return 'SUCCESS';
  });
}

/** The directory first and alone, so that `PLAN_DIR=$(tutti plan init …)` has it. */
function print(context: Context, { plan, paths, isNew }: InitialisedPlan, json: boolean): void {
  if (json) {
    printJson<Output<'plan-init'>>(context, {
      plan: plan.name,
      plan_dir: paths.dir,
      target_dir: plan.targetDir,
      project_type: plan.projectType,
      phase: plan.phase,
      spec_checksum: plan.specChecksum,
      created: isNew,
    });
    return;
  }
  printLines(context, [paths.dir]);
  const next =
    plan.specChecksum === null ? `write ${paths.spec}, then: tutti plan advance` : 'tutti plan advance';
  const said = `plan ${plan.name} ${isNew ? 'is made' : `is there, in phase ${plan.phase}`}`;
  context.process.stderr.write(`${said}\n  → ${isNew ? next : 'tutti plan status'}\n`);
}

async function specOf(
  { folder, env, input }: Context,
  file: string | undefined,
): Promise<Result<string | null, Refusal>> {
  if (file === undefined) return ok(null);
  if (file === '-') return ok(await input.text());
  const text = readNamedFile(resolve(folder, file), maxSpecBytes, env);
  if (text.ok) return text;
  return err(
    refusal('USAGE', `the specification ${file} ${text.error.message}`, 'name a text file: --spec FILE'),
  );
}
