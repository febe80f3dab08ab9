import type { Outcome } from '../../model/outcome.ts';
import { ensureConductor } from '../../app/runs/conductor.ts';
import { haltRun } from '../../app/runs/control.ts';
import { isDriven } from '../../app/runs/drive-run.ts';
import { driveRun } from '../../app/runs/drive-run.ts';
import type { Tutti } from '../../app/tutti.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';

export interface HaltFlags extends JsonFlag {
  readonly reason?: string;
}

export function halt(flags: HaltFlags, context: Context, runId: string): Promise<Outcome> {
  const { json, reason = 'a person asked for it' } = flags;
  return withProject(context, { ...flags, detach: true }, async (tutti) => {
    const halted = await haltRun(tutti, runId, reason);
    if (!halted.ok) return fail(context, halted.error, json);
    const state = halted.value === 'halted' ? 'halted' : await settle(tutti, runId);
    if (json) printJson(context, { run_id: runId, state });
    else printLines(context, [sentences[state](runId), `  → go on: tutti resume ${runId}`]);
    return 'SUCCESS';
  });
}

const sentences = {
  halted: (runId: string) => `run ${runId} is halted`,
  halting: (runId: string) => `run ${runId} is halting: what is under way finishes, nothing new starts`,
};

/** With nobody driving it, somebody has to see what is under way to its end: at once if nothing is. */
async function settle(tutti: Tutti, runId: string): Promise<'halted' | 'halting'> {
  if (isDriven(tutti, runId)) return 'halting';
  if (tutti.queries.entries(runId).some(({ state }) => state.at === 'launched')) {
    await ensureConductor(tutti);
    return 'halting';
  }
  await driveRun(tutti, { runId, stay: false });
  return tutti.queries.run(runId)?.state.at === 'halted' ? 'halted' : 'halting';
}
