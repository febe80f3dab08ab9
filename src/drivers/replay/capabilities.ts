import { existsSync } from 'node:fs';

/** Null when there is something to play; otherwise one sentence. */
export function missingCassette(cassette: string): string | null {
  if (existsSync(cassette)) return null;
  return `the cassette ${cassette} does not exist: write one (tutti help cassettes), or choose another driver in tutti.yaml`;
}
