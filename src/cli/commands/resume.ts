import type { Outcome } from '../../model/outcome.ts';
import { resumeRun, type Resumed } from '../../app/runs/control.ts';
import { isDriven } from '../../app/runs/drive-run.ts';
import type { Context } from '../context.ts';
import { drive, type DriveFlags } from '../drive.ts';
import { fail } from '../fail.ts';
import { printLines } from '../print.ts';
import { chosenRun, withProject } from '../project.ts';

export interface ResumeFlags extends DriveFlags {
  readonly step?: readonly string[];
}

export function resume(flags: ResumeFlags, context: Context, runId?: string): Promise<Outcome> {
  const { json, detach, step = [] } = flags;
  return withProject(context, flags, async (tutti) => {
    const run = chosenRun(tutti, runId);
    if (!run.ok) return fail(context, run.error, json);
    const after = tutti.queries.lastSeq(run.value.id);
    const resumed = await resumeRun(tutti, run.value.id, step);
    if (!resumed.ok) return fail(context, resumed.error, json);
    if (!json && !isDriven(tutti, run.value.id)) printLines(context, [sentenceOf(resumed.value)]);
    return drive(context, tutti, { runId: run.value.id, after, detach, json });
  });
}

function sentenceOf(resumed: Resumed): string {
  if (resumed.how === 'reopened') return `run ${resumed.runId} goes on; again: ${resumed.steps.join(', ')}`;
  return `run ${resumed.runId} goes on; what finished is kept`;
}
