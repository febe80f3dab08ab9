import type { Outcome } from '../../model/outcome.ts';
import { checkFlow, prepareFlow, startPrepared } from '../../app/runs/start-flow.ts';
import { locate, openTutti } from '../../app/tutti.ts';
import { admit } from '../admit.ts';
import type { TrustFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { drive, type DriveFlags } from '../drive.ts';
import { fail } from '../fail.ts';
import { printLines } from '../print.ts';
import { withOpened } from '../project.ts';
import { sayFoundDriver } from '../say-driver.ts';
import { estimate } from './estimate.ts';

export interface RunFlags extends DriveFlags, TrustFlag {
  readonly runId?: string;
  readonly parallel?: number;
  /** Its earlier name. */
  readonly maxParallel?: number;
  readonly refresh: boolean;
  readonly estimate: boolean;
}

/** Everything is checked before anything is made, so that a mistake leaves nothing behind. */
export async function run(flags: RunFlags, context: Context, file: string): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { json, detach, refresh, runId = null } = flags;
  const maxParallel = flags.parallel ?? flags.maxParallel ?? null;
  const request = { file, folder, runId, maxParallel, refresh, detach };
  const flow = checkFlow(request);
  if (!flow.ok) return fail(context, flow.error, json);
  const admitted = flags.estimate ? null : await admit(context, flags, { flow: file });
  if (admitted?.ok === false) return fail(context, admitted.error, json);
  const place = locate({ folder, env, caller });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const prepared = await prepareFlow(place.value, flow.value, request);
  if (!prepared.ok) return fail(context, prepared.error, json);
  if (flags.estimate) return estimate(flags, context, place.value, prepared.value);
  const opened = openTutti({ folder, env, caller, create: true });
  if (!opened.ok) return fail(context, opened.error, json);
  return withOpened(context, flags, opened.value, async (tutti) => {
    const after = runId === null ? 0 : tutti.queries.lastSeq(runId);
    const started = await startPrepared(tutti, prepared.value);
    if (!started.ok) return fail(context, started.error, json);
    const drivers = Object.values(prepared.value.input.agents).map(({ driver }) => driver);
    if (drivers.includes(tutti.config.driver)) sayFoundDriver(context, flags, tutti.config);
    const { note } = started.value;
    if (!json && note !== null) printLines(context, [note]);
    return drive(context, tutti, { runId: started.value.runId, after, detach, json });
  });
}
