import { achievedLimits } from '../../../app/sessions/achieved-limits.ts';
import { reasonOf } from '../../../app/sessions/reason.ts';
import { lookAtSession } from '../../../app/sessions/sessions-now.ts';
import { sessionJson, type SessionView, sessionView } from '../../../app/sessions/status.ts';
import { tmuxActive } from '../../../app/sessions/tmux-active.ts';
import { isAdvancing } from '../../../app/status/living-holder.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { isOver } from '../../../model/run.ts';
import { sessionArgument } from '../../arguments.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { printJson, printLines } from '../../print.ts';
import { statusLines } from '../../render/session-status.ts';
import { painter } from '../../render/style.ts';
import { withSession } from '../../project.ts';

export const command = defineCommand<JsonFlag, [id: string]>({
  reads: true,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [sessionArgument] } },
  about:
    'While the session runs, shows whether it works, waits for a person, is paused by a usage limit, is\n' +
    'stalled or is dead.',
  examples: [
    ['tutti session status ID', 'show one session'],
    ['tutti session status ID --json', 'print JSON'],
  ],
  run: status,
});

function status(flags: JsonFlag, context: Context, name: string): Promise<Outcome> {
  return withSession(context, flags, name, async (tutti, found): Promise<Outcome> => {
    const session = await lookAtSession(tutti, found);
    const view = await sessionView(tutti, session);
    const isActive = await tmuxActive(tutti, view.tmuxName);
    const limits = achievedLimits(view.folder);
    const reason = await reasonOf(tutti, session);
    if (flags.json)
      printJson<Output<'session-status'>>(context, {
        ...sessionJson(view, isActive),
        message: reason,
        limits,
      });
    else {
      const paint = painter(context.screen.colour);
      const from = context.folder;
      const lines = statusLines(view, { tmuxActive: isActive, reason, limits, from, paint });
      const isBad = session.outcome !== null && session.outcome !== 'SUCCESS';
      printLines(context, [
        ...lines,
        ...(isBad ? [`  → read what it printed: tutti logs ${session.id}`] : []),
        ...(await continueLines(tutti, view)),
      ]);
    }
    return 'SUCCESS';
  });
}

/** Where a session lost its process and no other process retries it. */
async function continueLines(tutti: Tutti, view: SessionView): Promise<string[]> {
  const { session, activity, retriedAs } = view;
  if ((!session.lost && activity.at !== 'dead') || retriedAs !== null) return [];
  const run = await tutti.queries.run(session.runId);
  if (run === null || isOver(run.state) || (await isAdvancing(tutti, run.id))) return [];
  return [`  → no process advances its run; start the turn again: tutti resume ${run.id}`];
}
