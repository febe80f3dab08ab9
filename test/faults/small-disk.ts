import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tempFolder } from '../rig/temp-folder.ts';

/** A disk of its own, so small that it can really be full: what it does then is what the system does, not a test. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  resize(bytes: number): void;
}

export function mountSmallDisk(path: string, bytes: number): SmallDisk {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  mount(['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tutti-test', path]);
  return {
    path,
    resize: (size) => {
      mount(['-o', `remount,size=${size}`, path]);
    },
    [Symbol.dispose]: () => {
      // Lazily: a process that still stands in it must not keep the folder from going.
      spawnSync('umount', ['-l', path]);
    },
  };
}

/** Null: disks can be mounted here. */
export function mountingMissing(): string | null {
  using folder = tempFolder();
  try {
    using _disk = mountSmallDisk(folder.path, 65_536);
    return null;
  } catch (error) {
    return `no small disk can be mounted: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function mount(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('mount', [...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(error?.message ?? stderr.trim());
}
