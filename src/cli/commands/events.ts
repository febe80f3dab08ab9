import { withIncidents, type ToldEvent } from '../../app/status/incidents.ts';
import { nextLook } from '../../lib/keep-looking.ts';
import type { OpenedProject } from '../../app/opened-project.ts';
import type { FeedEvent } from '../../model/event.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isOver } from '../../model/run.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { jsonLine } from '../print.ts';
import { readRun } from '../read-project.ts';
import { eventJson } from '../render/event-line.ts';
import { linesOf } from '../render/live-output.ts';
import { painter } from '../render/style.ts';

interface EventsFlags extends JsonFlag {
  readonly follow: boolean;
}

export const command = defineCommand<EventsFlags, [run?: string]>({
  reads: true,
  follows: ({ follow }) => follow,
  parameters: {
    flags: {
      follow: switchFlag('Print new events until the run ends'),
      json: jsonFlag,
    },
    aliases: { f: 'follow' },
    positional: { kind: 'tuple', parameters: [runArgument] },
  },
  about: 'With --json, prints one event per line (NDJSON) with seq, at, run_id and type.',
  examples: [
    ['tutti events --follow', 'watch the newest run until it ends'],
    ['tutti events nightly --json', 'print all events so far as JSON'],
  ],
  run: events,
});

const lookEveryMs = 100;

const atOnce = 1000;

function events(flags: EventsFlags, context: Context, runId?: string): Promise<Outcome> {
  return readRun(context, flags, runId, async (tutti, run): Promise<Outcome> => {
    const tell = teller(tutti, run.id, async (event) => {
      const lines = flags.json
        ? [jsonLine(eventJson(event))]
        : textOf(context, await withIncidents(tutti.queries, event));
      for (const line of lines) context.process.stdout.write(`${line}\n`);
    });
    await tell();
    if (flags.follow) await untilOver(context, tutti, run.id, tell);
    return 'SUCCESS';
  });
}

function teller(
  tutti: OpenedProject,
  runId: string,
  write: (event: FeedEvent) => Promise<void>,
): () => Promise<void> {
  let seen = 0;
  return async () => {
    for (;;) {
      const news = await tutti.queries.events(runId, seen, atOnce);
      seen = news.at(-1)?.seq ?? seen;
      for (const event of news) await write(event);
      if (news.length < atOnce) return;
    }
  };
}

async function untilOver(
  { screen }: Context,
  tutti: OpenedProject,
  runId: string,
  tell: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await nextLook(tutti.clock, lookEveryMs);
    // Asked before the telling: what it says of its end is then told as well.
    const run = await tutti.queries.run(runId);
    await tell();
    if (run === null || isOver(run.state) || screen.isClosed()) return;
  }
}

function textOf({ screen }: Context, told: ToldEvent): readonly string[] {
  const paint = painter(screen.colour);
  const time = new Date(told.feed.at).toTimeString().slice(0, 8);
  return linesOf(told).map(
    ({ tone, glyph, text }) => `${paint('quiet', time)} ${paint(tone, glyph)} ${text}`,
  );
}
