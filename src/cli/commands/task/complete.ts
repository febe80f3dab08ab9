import { type Completed, completeTask } from '../../../app/plans/agent-led/complete-task.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { listFlag, planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { verificationLines } from '../../render/task-lines.ts';
import { oneTask } from './family.ts';

interface CompleteFlags extends PlanFlags {
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
}

export const command = defineCommand<CompleteFlags, [id: string]>({
  reads: false,
  parameters: {
    flags: {
      created: listFlag('Files that are new', 'FILE'),
      modified: listFlag('Files that were changed', 'FILE'),
      ...planFlags,
    },
    positional: oneTask,
  },
  about:
    'Something must have changed since it was started, only in files that the task declares, and every acceptance criterion is\n' +
    'run in the target directory. Code 1 with what was found when one of them fails: the task is still yours. Code 69 when\n' +
    'only a missing program is in the way: a person installs it, and you claim the task again. When all pass it is done,\n' +
    'and bundles/ID-result.json is written.',
  examples: [['tutti task complete T001 --created src/a.js src/b.js --modified README.md', 'claim it']],
  run: complete,
});

function complete(flags: CompleteFlags, context: Context, id: string): Promise<Outcome> {
  const { json, created = [], modified = [] } = flags;
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const completed = await completeTask(tutti, found, id, { created, modified });
    if (!completed.ok) return fail(context, completed.error, json);
    const { value } = completed;
    if (json) printJson(context, claimJson(id, value));
    else printLines(context, claimLines(id, value));
    return claimOutcomes[value.at];
  });
}

const claimOutcomes = { done: 'SUCCESS', rejected: 'FAILURE', unjudged: 'UNAVAILABLE' } as const;

function claimJson(id: string, claim: Completed): Output<'task-complete'> {
  const { verdict, criteria } = claim.verification;
  return {
    task_id: id,
    status: claim.at === 'done' ? 'done' : 'running',
    verdict,
    criteria,
    undeclared: claim.at === 'rejected' ? claim.undeclared : [],
    not_run: claim.at === 'unjudged' ? claim.notRun : [],
  };
}

function claimLines(id: string, claim: Completed): readonly string[] {
  const evidence = verificationLines(claim.verification);
  switch (claim.at) {
    case 'done':
      return [`${id}: SUCCESS`, ...evidence];
    case 'rejected':
      return [
        `${id}: not done: it did not pass`,
        ...evidence,
        ...(claim.undeclared.length === 0
          ? []
          : [
              `  → a person may let them belong to it: tutti task widen ${id} ${listedArguments(claim.undeclared)}`,
            ]),
        `  → fix it and claim it again, or give up: tutti task fail ${id} MESSAGE --category test`,
      ];
    case 'unjudged': {
      const programs = [...new Set(claim.notRun.map(({ program }) => oneLine(program)))].join(', ');
      return [
        `${id}: not judged: a command could not be run, which says nothing about the work`,
        ...evidence,
        `  → ask a person to install ${programs}, then claim it again: tutti task complete ${id}`,
      ];
    }
  }
}

const shownArguments = 5;

/** As they are typed in a shell. */
function listedArguments(paths: readonly string[]): string {
  if (paths.length > shownArguments) return 'FILE…';
  return paths
    .map((path) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${oneLine(path).replaceAll("'", "'\\''")}'`))
    .join(' ');
}
