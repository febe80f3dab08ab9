import type { RenderedLine } from '../../app/sessions/render-log.ts';
import type { AnyLayer } from '../../model/compose/layer.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { Context } from '../context.ts';
import { jsonLine } from '../print.ts';
import { eventJson } from './event-line.ts';
import { plainView, type RunView } from './live-output.ts';

/** What every line of progress says about the call that it belongs to. */
export interface ProgressFacts {
  readonly runId: string;
  readonly traceId: string;
  readonly layer: AnyLayer;
  readonly depth: number;
  readonly startedAt: number;
  now(): number;
}

/** How `tutti spawn` shows its run on standard error, which leaves standard output to the answer. */
export interface SpawnProgress {
  readonly view: RunView;
  /** A sentence for the caller. */
  warn(message: string): void;
  /** A line of the agent of the step at that path. */
  line(path: string, session: string, line: RenderedLine): void;
}

export function textProgress(context: Context): SpawnProgress {
  const { stderr } = context.process;
  return {
    // Frames and colours are for standard output, which may be a terminal where standard error is a file.
    view: plainView({
      ...context,
      process: { ...context.process, stdout: stderr },
      screen: { ...context.screen, colour: false },
    }),
    warn: (message) => {
      stderr.write(`tutti: ${message}\n`);
    },
    line: (path, _session, { text }) => {
      stderr.write(`${path}: ${text}\n`);
    },
  };
}

export function jsonProgress({ process }: Context, facts: ProgressFacts): SpawnProgress {
  const { runId, traceId, layer, depth, startedAt } = facts;
  const write = (at: number, type: string, more: object): void => {
    const line: Output<'spawn-progress'> = {
      time: new Date(at).toISOString(),
      trace_id: traceId,
      layer,
      depth,
      elapsed_seconds: Math.max(0, at - startedAt) / 1000,
      run_id: runId,
      type,
      ...more,
    };
    process.stderr.write(`${jsonLine(line)}\n`);
  };
  return {
    view: {
      events: (events) => {
        for (const { feed } of events) {
          const { at: _, ...event } = { at: '', ...eventJson(feed) };
          write(feed.at, feed.event.type, event);
        }
      },
      tick: async () => undefined,
      say: (message) => {
        write(facts.now(), 'note', { message });
      },
      abbreviated: (message) => message,
      [Symbol.asyncDispose]: async () => undefined,
    },
    warn: (message) => {
      write(facts.now(), 'warning', { message });
    },
    line: (path, session, { kind, text }) => {
      write(facts.now(), 'agent.line', { path, session_id: session, kind, text });
    },
  };
}
