import type { SessionSpec } from '../model/turn.ts';

const marker = '\n\n---\n\n**TASK DELEGATION**:\n\n';

/** What an agent finds on its standard input, byte for byte: who it is, then what to do (seed C). */
export function promptText(spec: Pick<SessionSpec, 'systemPrompt' | 'prompt'>): string {
  return `${spec.systemPrompt}${marker}${spec.prompt}`;
}

/** The task alone; the whole text if nobody delegated. */
export function taskOf(text: string): string {
  const at = text.indexOf(marker);
  return at < 0 ? text : text.slice(at + marker.length);
}
