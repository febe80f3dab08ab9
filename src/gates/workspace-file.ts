import { realPathBelow } from '../lib/path-below.ts';
import { readText } from '../lib/read-text.ts';
import { err, type Result } from '../lib/result.ts';

/** Text of a file below a directory, wherever its links lead, as long as that is below it too. */
export function readTextBelow(root: string, path: string, maxBytes: number): Result<string, string> {
  const real = realPathBelow(root, path);
  if (!real.ok) return real;
  const text = readText(real.value, { maxBytes, links: 'refuse' });
  return text.ok ? text : err(`${path} ${text.error.message}`);
}
