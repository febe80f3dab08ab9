import { ok, err, type Result } from '../../lib/result.ts';
import { decide } from '../people/decide.ts';
import { identifyCaller } from '../people/identify-caller.ts';
import { outsideProject } from '../people/outside-project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { declineRepository, revokeTrust, trustRepository } from '../trust/trust.ts';
import { type DescribedTrust, describeTrust, type Seen } from './describe.ts';
import type { NeededTrust } from './needed-trust.ts';
import type { TrustGiver } from './use-state.ts';

/** Records that a person trusts a repository as it was shown to them; what changed meanwhile is to be looked at again. */
export async function giveTrust(
  { caller, env }: TrustGiver,
  { folder, files, commands, trust: shown }: Seen,
): Promise<Result<DescribedTrust, Refusal>> {
  const { repository } = shown;
  const decided = await decide(outsideProject(caller, repository), 'trust', `trust ${repository}`);
  if (!decided.ok) return decided;
  const now = describeTrust(folder, env, { files, commands });
  if (now.state !== shown.state) {
    const message = `${repository} changed while you were asked about it`;
    return err(refusal('USAGE', message, 'look at it again: tutti trust'));
  }
  const done = trustRepository(folder, env, new Date(), { files: now.files, commands });
  return done.ok ? ok(describeTrust(folder, env, { files, commands })) : done;
}

/** Ends the trust in everything that a repository brings. */
export async function takeTrustBack(
  { caller, env }: TrustGiver,
  { folder, trust: { repository } }: Pick<Seen, 'folder' | 'trust'>,
): Promise<Result<null, Refusal>> {
  const decided = await decide(outsideProject(caller, repository), 'trust', `revoke ${repository}`);
  if (!decided.ok) return decided;
  const done = revokeTrust(folder, env);
  return done.ok ? ok(null) : done;
}

/** Works without what is needed. That is no decision, so an agent may say it; for what continues the work only a person's word is kept. */
export function workWithout({ caller, env }: TrustGiver, needed: NeededTrust): Result<null, Refusal> {
  if (identifyCaller(caller).kind === 'agent') return ok(null);
  const done = declineRepository(needed.folder, env, needed.state);
  return done.ok ? ok(null) : done;
}
