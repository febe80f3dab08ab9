import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/**
 * A folder whose subfolders the file system lays out far from each other. ext4 does not use an inode again for minutes
 * after its file was deleted, and looks for another one each time: where somebody has just deleted thousands of files
 * (the last benchmark, a test suite) making one costs up to twenty times the usual. This is ext4's own word for
 * "the folders in here have nothing to do with each other"; elsewhere it has no effect.
 */
export function makeSpreadFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  spawnSync('chattr', ['+T', path]);
}
