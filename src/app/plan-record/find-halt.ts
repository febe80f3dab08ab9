import { lstatSync } from 'node:fs';
import { readText } from '../../lib/read-text.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { PlanHalt, PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanPaths } from '../plan-files/plan-paths.ts';

/** The halt of a plan: the one that is recorded, or what a STOP file says that was put there. Null: it is not halted. */
export function findHalt(
  { halt }: Pick<PlanRecord, 'halt'>,
  { stop }: Pick<PlanPaths, 'stop'>,
): PlanHalt | null {
  const file = lstatSync(stop, { throwIfNoEntry: false });
  if (halt !== null || file === undefined) return halt;
  const text = readText(stop, { maxBytes: 64 * 1024, links: 'refuse' });
  const said = text.ok ? oneLine(text.value) : '';
  const reason = said === '' ? 'there is a STOP file' : said;
  return { reason, requestedAt: Math.round(file.mtimeMs), confirmedAt: null };
}
