import { named } from '../../model/trust.ts';
import { describeTrust } from '../consent/describe.ts';
import { trustFilePath } from '../trust/trust-file.ts';
import type { Environment } from '../opened-project.ts';
import { fine, type Finding, lookAtTrust, warning } from './finding.ts';

/** Whether everything counts that the repository brings. */
export function trustFinding(folder: string, env: Environment): Finding {
  const { repository, trustedAt, surfaces, problem } = describeTrust(folder, env);
  if (problem !== null) {
    return warning('trust', problem, `look at it, then remove it: rm ${trustFilePath(env)}`);
  }
  const changed = surfaces.filter(({ change }) => change !== 'same');
  if (trustedAt === null) {
    if (changed.length === 0) return fine('trust', 'the repository brings nothing that is not trusted');
    const text = `${repository} is not trusted: not used are ${named(changed)}`;
    return warning('trust', text, lookAtTrust);
  }
  if (changed.length === 0) return fine('trust', `${repository} is trusted since ${trustedAt}`);
  const text = `${repository} is trusted; since then these have changed: ${named(changed)}`;
  return warning('trust', text, lookAtTrust);
}
