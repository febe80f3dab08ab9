import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { realOf } from '../../workspace/trust-root.ts';
import { rootFor } from './root.ts';

/**
 * A search path without entries that lie in the checkout around a folder. A relative entry means another folder in every
 * place, and is left out too. The same text where there are none, so that whoever asks need not look further.
 */
export function entriesOutside(searchPath: string | undefined, folder: string): string | undefined {
  if (searchPath === undefined) return undefined;
  const { checkout, isGit } = rootFor(folder);
  // A home or a root folder that is a repository holds the person's own programs.
  const isForeign = isGit && !isWithin(checkout, homedir());
  const isInside = (entry: string): boolean =>
    isForeign && (isWithin(checkout, entry) || isWithin(checkout, realOf(entry) ?? entry));
  return searchPath
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInside(entry))
    .join(delimiter);
}
