import type { FeedEvent } from '../../model/event.ts';
import { stepIdOf } from '../../model/key.ts';

/** One line of `.live-report`, in seed A's words (P5, P6): JSON, for `tail -f`. */
export function liveReportLine({ at, event }: FeedEvent): string {
  const timestamp = new Date(at).toISOString();
  const stage = 'key' in event ? stepIdOf(event.key) : 'run';
  const status = 'outcome' in event ? event.outcome : (event.type.split('.')[1] ?? event.type);
  const layer = 'kind' in event && event.kind === 'session' ? 'exec' : 'orch';
  const detail = 'message' in event && event.message !== null ? { detail: event.message } : {};
  return JSON.stringify({ timestamp, layer, stage, status, event: event.type, ...detail });
}
