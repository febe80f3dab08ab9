import type { Outcome } from '../../../model/outcome.ts';
import { achievedLimits } from '../../../app/sessions/achieved-limits.ts';
import { reasonOf } from '../../../app/sessions/reason.ts';
import { lookAtSession } from '../../../app/sessions/sessions-now.ts';
import { sessionJson, sessionView } from '../../../app/sessions/status.ts';
import { tmuxActive } from '../../../app/sessions/tmux-active.ts';
import type { JsonFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { printJson, printLines } from '../../print.ts';
import { statusLines } from '../../render/session-status.ts';
import { painter } from '../../render/style.ts';
import { withSession } from '../../session-project.ts';

export function status(flags: JsonFlag, context: Context, name: string): Promise<Outcome> {
  return withSession(context, flags, name, async (tutti, found): Promise<Outcome> => {
    const session = lookAtSession(tutti, found);
    const view = sessionView(tutti, session);
    const isActive = await tmuxActive(tutti, view.tmuxName);
    const limits = achievedLimits(view.folder);
    const reason = reasonOf(tutti, session);
    if (flags.json) printJson(context, { ...sessionJson(view, isActive), message: reason, limits });
    else {
      const paint = painter(context.screen.colour);
      const from = context.folder;
      printLines(context, statusLines(view, { tmuxActive: isActive, reason, limits, from, paint }));
    }
    return 'SUCCESS';
  });
}
