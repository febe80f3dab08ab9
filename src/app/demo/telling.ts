import { isObject, type JsonObject, textMember } from '../../lib/json.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Event } from '../../model/event.ts';
import { stepIdOf } from '../../model/key.ts';
import type { Tutti } from '../tutti.ts';
import { glyphs } from '../../lib/glyphs.ts';

/** Tells what the feed of a run tells, once. */
export function storyteller(tutti: Tutti, runId: string, say: (line: string) => void): () => Promise<void> {
  let seq = 0;
  return async () => {
    for (const { seq: next, event } of await tutti.queries.events(runId, seq)) {
      seq = next;
      if (event.type !== 'step.ended' || event.state === 'dropped') continue;
      const line = await lineOf(tutti, runId, event);
      if (line !== null) say(`  ${line}`);
    }
  };
}

type StepEnded = Extract<Event, { type: 'step.ended' }>;

/** A turn, a criterion with what it found, a task that has landed; the rest is book-keeping. */
async function lineOf(
  tutti: Tutti,
  runId: string,
  { key, kind, outcome }: StepEnded,
): Promise<string | null> {
  const id = stepIdOf(key);
  const value = await valueOf(tutti, runId, key);
  if (/\/accept-\d+$/.test(id)) {
    const evidence = textMember(isObject(value?.['criterion']) ? value['criterion'] : undefined, 'evidence');
    return `${outcome === 'SUCCESS' ? glyphs.good : glyphs.bad} ${id}: ${oneLine(evidence, 100)}`;
  }
  if (id.endsWith('/land'))
    return outcome === 'SUCCESS' ? `${glyphs.good} ${id}: it is on the integration branch` : null;
  if (kind !== 'session') return null;
  if (outcome === 'HUMAN_INPUT') return `${glyphs.waiting} ${id}: the agent has a question`;
  return `${outcome === 'SUCCESS' ? glyphs.busy : glyphs.bad} ${id}: turn of agent ${await agentOf(tutti, runId, key)} ended`;
}

async function valueOf(tutti: Tutti, runId: string, key: string): Promise<JsonObject | null> {
  const entry = (await tutti.queries.entries(runId)).find((one) => one.key === key);
  return entry?.state.at === 'done' && isObject(entry.state.value) ? entry.state.value : null;
}

async function agentOf(tutti: Tutti, runId: string, key: string): Promise<string> {
  return (await tutti.queries.sessions.ofRun(runId)).find((session) => session.key === key)?.agent ?? '';
}
