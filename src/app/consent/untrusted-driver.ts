import { homedir } from 'node:os';
import { projectFile } from '../config/default-settings.ts';
import { untrustedMembers } from '../config/load-config.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { projectTrust } from '../trust/project-trust.ts';
import type { Place } from '../tutti.ts';

/** Why no driver is chosen: the project's file names one, and is not trusted as it is now. Null: it names none, or counts. */
export function refuseUntrustedDriver({
  paths: { root },
  env,
}: Pick<Place, 'paths' | 'env'>): Refusal | null {
  const trust = projectTrust(root, env);
  const members = untrustedMembers({ projectDir: root, env, home: env['HOME'] ?? homedir(), trust });
  if (!members.includes('driver')) return null;
  const message = `${projectFile} chooses a driver, which counts once it is trusted`;
  return refusal('USAGE', message, 'look at it, then: tutti trust');
}
