import { named } from '../../model/trust.ts';
import { lookAtTrust } from '../trust/trust.ts';
import { trustFilePath } from '../trust/trust-file.ts';
import type { Environment } from '../tutti.ts';
import { fine, type Finding, warning } from './finding.ts';

/** Whether agents use what the repository brings for their CLIs. None of it stops a run that does not need it. */
export function trustFinding(folder: string, env: Environment): Finding {
  const { repository, trustedAt, surfaces, problem } = lookAtTrust(folder, env);
  if (problem !== null) {
    return warning('trust', problem, `look at it, then remove it: rm ${trustFilePath(env)}`);
  }
  if (trustedAt === null) {
    if (surfaces.length === 0) return fine('trust', 'the repository brings no settings for agent CLIs');
    const text = `${repository} is not trusted: agents do not use ${named(surfaces)}`;
    return warning('trust', text, 'look at it: tutti trust');
  }
  const changed = surfaces.filter(({ change }) => change !== 'same');
  if (changed.length === 0) return fine('trust', `${repository} is trusted since ${trustedAt}`);
  const text = `${repository} is trusted; since then these have changed: ${named(changed)}`;
  return warning('trust', text, 'look at it: tutti trust');
}
