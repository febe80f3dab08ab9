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
import { oneTask } from './group.ts';

interface CompleteFlags extends PlanFlags {
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
}

export const command = defineCommand<CompleteFlags, [id: string]>({
  reads: false,
  parameters: {
    flags: {
      created: listFlag('File the task created (repeatable)', 'FILE'),
      modified: listFlag('File the task changed (repeatable)', 'FILE'),
      ...planFlags,
    },
    positional: oneTask,
  },
  about:
    'Tutti checks that files changed, that only declared files changed, and that every acceptance\n' +
    'criterion passes in the target directory. If a check fails, the command exits with 1, prints the\n' +
    'failure, and keeps the task claimed. If a required program is missing, it exits with 69: install the\n' +
    'program and submit the task again. If all checks pass, the task is done, and Tutti writes\n' +
    'bundles/ID-result.json.',
  examples: [
    [
      'tutti task complete T001 --created src/a.js src/b.js --modified README.md',
      'submit it; the gates decide',
    ],
  ],
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
