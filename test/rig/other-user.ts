import { spawnSync } from 'node:child_process';
import { installedTutti } from './installed-tutti.ts';

/** Why a test cannot play another user here; null: it can. */
export function whyNoOther(user: { readonly uid: number; readonly gid: number }): string | null {
  if (process.getuid?.() !== 0) return 'only root may play another user';
  const { status } = spawnSync(process.execPath, [installedTutti(), '--version'], user);
  return status === 0 ? null : 'other users may not read this checkout';
}
