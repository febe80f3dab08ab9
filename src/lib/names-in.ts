import { readdirSync } from 'node:fs';

/** Names of what a folder contains, in order; none where it does not exist or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
