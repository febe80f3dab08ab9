import { isObject, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Event } from '../../model/event.ts';
import { stepIdOf } from '../../model/key.ts';
import type { Tutti } from '../tutti.ts';

/** Tells what the feed of a run tells, once. */
export function storyteller(tutti: Tutti, runId: string, say: (line: string) => void): () => void {
  let seq = 0;
  return () => {
    for (const { seq: next, event } of tutti.queries.events(runId, seq)) {
      seq = next;
      if (event.type !== 'step.ended' || event.state === 'dropped') continue;
      const line = lineOf(tutti, runId, event);
      if (line !== null) say(`  ${line}`);
    }
  };
}

type StepEnded = Extract<Event, { type: 'step.ended' }>;

/** A turn, a criterion with what it found, a task that has landed; the rest is book-keeping. */
function lineOf(tutti: Tutti, runId: string, { key, kind, outcome }: StepEnded): string | null {
  const id = stepIdOf(key);
  const value = valueOf(tutti, runId, key);
  if (/\/accept-\d+$/.test(id)) {
    const evidence = textMember(isObject(value?.['criterion']) ? value['criterion'] : undefined, 'evidence');
    return `${outcome === 'SUCCESS' ? '✔' : '✕'} ${id}: ${oneLine(evidence, 100)}`;
  }
  if (id.endsWith('/land')) return outcome === 'SUCCESS' ? `✔ ${id}: it is on the integration branch` : null;
  if (kind !== 'session') return null;
  if (outcome === 'HUMAN_INPUT') return `◐ ${id}: the agent has a question`;
  return `${outcome === 'SUCCESS' ? '●' : '✕'} ${id}: turn of agent ${agentOf(tutti, runId, key)} ended`;
}

function valueOf(tutti: Tutti, runId: string, key: string): JsonObject | null {
  const entry = tutti.queries.entries(runId).find((one) => one.key === key);
  return entry?.state.at === 'done' && isObject(entry.state.value) ? entry.state.value : null;
}

function agentOf(tutti: Tutti, runId: string, key: string): string {
  return tutti.queries.sessions.ofRun(runId).find((session) => session.key === key)?.agent ?? '';
}
