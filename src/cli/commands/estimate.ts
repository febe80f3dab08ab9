import { existsSync } from 'node:fs';
import type { Outcome } from '../../model/outcome.ts';
import { type EarlierTurns, estimateOf } from '../../app/costs/estimate.ts';
import type { FlowInput } from '../../model/flow.ts';
import { openTutti, type Place } from '../../app/tutti.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Refusal } from '../../app/refusal.ts';
import type { JsonFlag } from '../define-command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { estimateJson, estimateLines } from '../render/estimate.ts';
import { painter } from '../render/style.ts';

/** `--estimate`: what it may take, before anything is started or made. */
export async function estimate(
  { json }: JsonFlag,
  context: Context,
  place: Place,
  input: Pick<FlowInput, 'flow' | 'agents'>,
): Promise<Outcome> {
  const earlier = await earlierTurns(context, place);
  if (!earlier.ok) return fail(context, earlier.error, json);
  const found = estimateOf(input, place.config, earlier.value);
  if (json) printJson(context, estimateJson(found));
  else {
    const { screen } = context;
    const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
    printLines(context, estimateLines(found, painter(screen.colour), columns));
  }
  return 'SUCCESS';
}

/** A project that has never run anything has no database, and is given none for a question. */
async function earlierTurns(
  { folder, env }: Context,
  { paths }: Place,
): Promise<Result<EarlierTurns, Refusal>> {
  if (!existsSync(paths.database)) return ok({ sessions: [], succeeded: () => false });
  const opened = openTutti({ folder, env, create: false });
  if (!opened.ok) return err(opened.error);
  using tutti = opened.value;
  const { queries } = tutti;
  const succeeded = new Set((await queries.succeededSteps()).map(({ runId, step }) => `${runId} ${step}`));
  return ok({
    sessions: await queries.sessions.spending({ runId: null, since: 0 }),
    succeeded: (runId, step) => succeeded.has(`${runId} ${step}`),
  });
}
