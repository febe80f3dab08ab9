import type { Outcome } from '../../model/outcome.ts';
import type { FeedEvent } from '../../model/event.ts';
import { isOver } from '../../model/run.ts';
import { incidentsAt } from '../../app/status/incidents.ts';
import type { Tutti } from '../../app/tutti.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { jsonLine } from '../print.ts';
import { withRun } from '../project.ts';
import { eventJson } from '../render/event-line.ts';
import { type IncidentsAt, linesOf } from '../render/run-view.ts';
import { painter } from '../render/style.ts';

export interface EventsFlags extends JsonFlag {
  readonly follow: boolean;
}

const lookEveryMs = 100;
const atOnce = 1000;

export function events(flags: EventsFlags, context: Context, runId?: string): Promise<Outcome> {
  return withRun(context, flags, runId, async (tutti, run): Promise<Outcome> => {
    const tell = teller(tutti, run.id, (event) => {
      const incidents = (each: FeedEvent) => incidentsAt(tutti.queries, each);
      const lines = flags.json ? [jsonLine(eventJson(event))] : textOf(context, event, incidents);
      for (const line of lines) context.process.stdout.write(`${line}\n`);
    });
    tell();
    if (flags.follow) await untilOver(context, tutti, run.id, tell);
    return 'SUCCESS';
  });
}

function teller(tutti: Tutti, runId: string, write: (event: FeedEvent) => void): () => void {
  let seen = 0;
  return () => {
    for (;;) {
      const news = tutti.queries.events(runId, seen, atOnce);
      seen = news.at(-1)?.seq ?? seen;
      news.forEach(write);
      if (news.length < atOnce) return;
    }
  };
}

function untilOver({ screen }: Context, tutti: Tutti, runId: string, tell: () => void): Promise<void> {
  return new Promise((resolve) => {
    const looking = tutti.clock.every(lookEveryMs, () => {
      // Asked before the telling: what it says of its end is then told as well.
      const run = tutti.queries.run(runId);
      tell();
      if (run !== null && !isOver(run.state) && !screen.isClosed()) return;
      looking[Symbol.dispose]();
      resolve();
    });
  });
}

function textOf({ screen }: Context, event: FeedEvent, incidents: IncidentsAt): readonly string[] {
  const paint = painter(screen.colour);
  const time = new Date(event.at).toTimeString().slice(0, 8);
  return linesOf(event, incidents).map(
    ({ tone, glyph, text }) => `${paint('quiet', time)} ${paint(tone, glyph)} ${text}`,
  );
}
