import { makePrivateFolder } from '../../../lib/atomic-file.ts';
import { realPathBelow } from '../../../lib/path-below.ts';

/** A folder of the plan that Tutti writes in. Agents can write there too, and a link in its place could lead anywhere. */
export function ownFolder(dir: string, name: string): string {
  makePrivateFolder(`${dir}/${name}`);
  const real = realPathBelow(dir, name);
  if (!real.ok) throw new Error(`${dir}/${name} is not the plan's own: ${real.error}`);
  return real.value;
}
