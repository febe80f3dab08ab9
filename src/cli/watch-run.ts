import { keepLooking } from '../lib/keep-looking.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { type ToldEvent, withIncidents } from '../app/status/incidents.ts';
import { findSilentHolder } from '../app/status/living-holder.ts';
import { describeHolder, silenceHint, type SilentHolder } from '../model/silent-holder.ts';
import type { Tutti } from '../app/tutti.ts';
import { isOver } from '../model/run.ts';
import type { Context } from './context.ts';
import { heedInterrupts } from './interrupts.ts';
import type { RunView } from './render/live-output.ts';
import type { LogWatch } from './watch-logs.ts';

const lookEveryMs = 100;

/** A run that a command shows while it is advanced. */
export interface WatchedRun {
  readonly runId: string;
  /** Place in the feed after which it is news. */
  readonly after: number;
  readonly view: RunView;
  /** Reads the logs of sessions that start; null: nothing of them is shown. */
  readonly logs: LogWatch | null;
  /** Whether a person sits there who can be asked. */
  readonly asks: boolean;
  /** The person leaves the run to the conductor. */
  readonly leave: () => void;
}

/** Shows what happens to the run while `work` is under way, and hears Ctrl-C. */
export async function watchRun<T>(
  context: Context,
  tutti: Tutti,
  { runId, after, view, logs, asks, leave }: WatchedRun,
  work: () => Promise<T>,
): Promise<T> {
  let troubled: string | null = null;
  const silence = silenceTeller(tutti, runId, (line) => {
    view.say(line);
  });
  const look = looker(tutti, runId, after, async (news) => {
    const trouble = tutti.wishes.trouble(runId);
    if (trouble !== null && troubled === null)
      view.say(
        `run ${runId} cannot write: ${oneLine(trouble, 500)}; agents at work continue, nothing new starts`,
      );
    if (trouble === null && troubled !== null) view.say(`run ${runId} can write again`);
    troubled = trouble;
    await silence();
    view.events(news);
    logs?.see(news.map(({ feed }) => feed));
    await view.tick();
  });
  const looking = keepLooking(tutti.clock, lookEveryMs, look);
  using _signals = heedInterrupts(context, tutti, {
    runId,
    asks,
    say: (line) => {
      view.say(line);
    },
    detach: leave,
  });
  try {
    return await work();
  } finally {
    await looking[Symbol.asyncDispose]();
    await look();
    await logs?.finish?.();
  }
}

/** Says when the process that holds the run does not respond, and when that is over. */
function silenceTeller(tutti: Tutti, runId: string, say: (line: string) => void): () => Promise<void> {
  let told: SilentHolder | null = null;
  return async () => {
    const run = await tutti.queries.run(runId);
    const silent = run === null || isOver(run.state) ? null : await findSilentHolder(tutti, run);
    if (silent !== null && told === null) {
      say(describeHolder(silent, runId));
      const takeOver = 'wait: this command takes the run over when the lease of that process has lapsed';
      say(`  → ${silenceHint(silent, takeOver)}`);
    }
    if (silent === null && told !== null) {
      const isOurs = (await tutti.queries.holder(runId))?.id === tutti.me.id;
      say(isOurs ? `this command advances run ${runId} now` : `process ${told.pid} responds again`);
    }
    told = silent;
  };
}

function looker(
  tutti: Tutti,
  runId: string,
  after: number,
  show: (news: readonly ToldEvent[]) => Promise<void>,
): () => Promise<void> {
  let seen = after;
  return async () => {
    try {
      const news = await tutti.queries.events(runId, seen);
      seen = news.at(-1)?.seq ?? seen;
      await show(await Promise.all(news.map((event) => withIncidents(tutti.queries, event))));
    } catch {
      // A glance that failed is no news. Whether the database can be used is for the driver to say, in one sentence.
    }
  };
}
