import { ancestorVariables } from '../../lib/process/ancestors.ts';
import type { Variables } from '../state-folder.ts';

/** Whether this process is that of an agent, or below one: it may have dropped the variable, its launcher has it still. */
export function isHosted(env: Variables, above = ancestorVariables): boolean {
  return env['TUTTI_SESSION_ID'] !== undefined || above('TUTTI_SESSION_ID').length > 0;
}
