import { type Activity, logActivity } from '../../app/plan-files/activity-log.ts';
import type { Outcome } from '../../model/outcome.ts';
import { logLevels } from '../../model/plan/log-levels.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { oneOf } from '../parsers.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson } from '../print.ts';

export const command = defineCommand<
  PlanFlags,
  [level: (typeof logLevels)[number], agent: string, event: string, message: string]
>({
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(logLevels),
          brief: logLevels.join(', '),
          placeholder: 'LEVEL',
          proposeCompletions: (partial) => logLevels.filter((level) => level.startsWith(partial)),
        },
        { parse: String, brief: 'Name of the agent', placeholder: 'AGENT' },
        {
          parse: String,
          brief: 'Kind of event: start, decision, tool, complete, …',
          placeholder: 'EVENT',
        },
        { parse: String, brief: 'Message in one line', placeholder: 'MESSAGE' },
      ],
    },
  },
  about: 'Removes secrets and terminal control sequences.',
  examples: [
    [
      'tutti log INFO task-executor decision "use a lookup table instead of a switch: easier to read"',
      'record a decision',
    ],
  ],
  run: log,
});

/** Says nothing but its line: agents call it all the time. */
function log(
  flags: PlanFlags,
  context: Context,
  level: Activity['level'],
  agent: string,
  event: string,
  message: string,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, { paths }): Promise<Outcome> => {
    const line = await logActivity(tutti, paths, { level, agent, event, message });
    if (flags.json) printJson<Output<'log'>>(context, { line });
    return 'SUCCESS';
  });
}
