import type { Target } from '../model/plan/workspace.ts';
import { planGit } from './repository.ts';

/** Snapshots of attempts in the operator's own folder that have not landed, by `T001-2`. */
export async function unlandedSnapshots(target: Target): Promise<ReadonlyMap<string, string>> {
  const [snapshots, landed] = ['snapshot', 'landed'].map((kind) => `refs/tutti/${kind}/${target.plan}/`);
  if (snapshots === undefined || landed === undefined) return new Map();
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', snapshots, landed];
  const { stdout } = await planGit(target, args);
  const found = new Map<string, string>();
  const done = new Set<string>();
  for (const line of stdout.split('\n')) {
    const [ref = '', commit = ''] = line.split(' ');
    if (ref.startsWith(snapshots)) found.set(ref.slice(snapshots.length), commit);
    else if (ref !== '') done.add(ref.slice(landed.length));
  }
  return new Map([...found].filter(([name]) => !done.has(name)));
}
