import { type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const blockBytes = 512;

/** What a folder takes on the disk, as `du -sk` counts it. Links are not followed; what vanishes meanwhile counts nothing. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = await ownBytes(folder);
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? await folderBytes(path) : await ownBytes(path);
  }
  return bytes;
}

async function ownBytes(path: string): Promise<number> {
  return lstat(path).then(
    ({ blocks }) => blocks * blockBytes,
    () => 0,
  );
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
