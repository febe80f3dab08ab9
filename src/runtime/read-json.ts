import { readText } from '../lib/read-text.ts';

/** Agents can write here too: a link is not followed, a pipe is not waited for. Null for whatever is no JSON. */
export function readJson(path: string, maxBytes: number): unknown {
  const text = readText(path, { maxBytes, links: 'refuse' });
  if (!text.ok) return null;
  try {
    return JSON.parse(text.value) as unknown;
  } catch {
    return null;
  }
}
