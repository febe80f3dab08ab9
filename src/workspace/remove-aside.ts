import { rmSync } from 'node:fs';
import { errorCode } from '../lib/error-code.ts';

/** Errors of removing a folder while another process writes to it or works in it. */
const isInUse: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EBUSY']);

/**
 * Removes a folder that was moved aside. While another process still writes to it, it stays, and `sweep` removes it later: nothing
 * depends on it any more. Returns whether it is gone.
 */
export function removeAside(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    return true;
  } catch (error) {
    if (!isInUse.has(errorCode(error))) throw error;
    return false;
  }
}
