import { refusal } from '../../../app/refusal.ts';
import { reportJson, reportLines } from '../../../app/session-control/watchdog-words.ts';
import { Watchdog, type WatchReport } from '../../../app/session-control/watchdog.ts';
import { waitUntil } from '../../../app/sessions/wait-until.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { duration } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { withProjectIfMade } from '../../project.ts';

interface WatchdogFlags extends JsonFlag {
  readonly once: boolean;
  readonly every?: number;
}

export const command = defineCommand<WatchdogFlags, []>({
  reads: false,
  parameters: {
    flags: {
      once: switchFlag('Check once (the default)'),
      every: {
        kind: 'parsed',
        parse: duration,
        brief: 'Repeat the check at this interval',
        placeholder: 'TIME',
        optional: true,
      },
      json: jsonFlag,
    },
  },
  about:
    'Kills sessions past their deadline or over their disk quota, reports stalls, records the end of lost\n' +
    'sessions, and reports inconsistencies. A conductor does the same automatically. Exits with 0\n' +
    'whether or not it took action.',
  examples: [
    ['tutti session watchdog', 'check once'],
    ['tutti session watchdog --every 60s', 'check every minute, until Ctrl-C'],
    ['tutti session watchdog --json', 'print the actions as JSON'],
  ],
  run: watchdog,
});

async function watchdog(flags: WatchdogFlags, context: Context): Promise<Outcome> {
  const { json, once, every } = flags;
  if (once && every !== undefined) {
    const hint = 'leave one of them out: tutti session watchdog --every 60s';
    return fail(context, refusal('USAGE', 'either --once or --every, not both', hint), json);
  }
  const none = (): Outcome => {
    if (json) printJson(context, reportJson({ at: Date.now(), sessions: 0, deeds: [], leftovers: null }));
    else printLines(context, ['No sessions found']);
    return 'SUCCESS';
  };
  return withProjectIfMade(
    context,
    { ...flags, withoutUntrusted: true },
    none,
    async (tutti): Promise<Outcome> => {
      const dog = new Watchdog(tutti);
      print(context, flags, await dog.look());
      if (every !== undefined) await goOn(context, tutti, flags, dog, every);
      return 'SUCCESS';
    },
  );
}

/** Until somebody stops it, or nobody reads it any more. */
async function goOn(
  context: Context,
  tutti: Tutti,
  flags: WatchdogFlags,
  dog: Watchdog,
  everyMs: number,
): Promise<void> {
  let stopped = false;
  using _signals = context.onSignal(() => {
    stopped = true;
  });
  const isOver = async (): Promise<boolean> => stopped || context.screen.isClosed();
  while (!(await waitUntil(tutti.clock, everyMs, isOver))) {
    const report = await dog.look();
    // A person wants to know what happened, not that nothing did.
    if (flags.json || report.deeds.length > 0) print(context, flags, report);
  }
}

function print(context: Context, { json }: WatchdogFlags, report: WatchReport): void {
  if (json) printJson(context, reportJson(report));
  else printLines(context, reportLines(report));
}
