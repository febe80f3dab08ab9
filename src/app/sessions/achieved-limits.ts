import { join } from 'node:path';
import { isObject } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';

const maxBytes = 1024 * 1024;

/** By what each limit of a session is held, as its launcher wrote it, null for one that was not asked for; empty where nothing tells. */
export function achievedLimits(folder: string | null): Readonly<Record<string, string | null>> {
  const state = folder === null ? null : stateOf(folder);
  const limits = isObject(state) ? state['limits'] : null;
  if (!isObject(limits)) return {};
  return Object.fromEntries(
    Object.entries(limits).filter(
      (limit): limit is [string, string | null] => limit[1] === null || typeof limit[1] === 'string',
    ),
  );
}

/** An agent may have written it: nothing in it is trusted to be there. */
function stateOf(folder: string): unknown {
  const text = readText(join(folder, 'state.json'), { maxBytes, links: 'refuse' });
  try {
    return text.ok ? JSON.parse(text.value) : null;
  } catch {
    return null;
  }
}
