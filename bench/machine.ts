import { cpus, loadavg, release, totalmem } from 'node:os';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './spread.ts';

/** What figures depend on; no names and no paths of the machine. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  readonly filesystem: string;
  /** One directory made in the place of measurement; see place.ts. */
  readonly mkdirUs: number;
}

const filesystems: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x9123683e: 'btrfs',
  0x58465342: 'xfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
};

export function machine(folder: string): Machine {
  const processors = cpus();
  const { type } = statfsSync(folder);
  return {
    cores: processors.length,
    processor: processors[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
    filesystem: filesystems[type] ?? `0x${type.toString(16)}`,
    mkdirUs: Math.round(mkdirCost(folder)),
  };
}

/** Over the last minute. */
export function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}

function mkdirCost(parent: string): number {
  const folder = join(parent, 'mkdir');
  mkdirSync(folder);
  const costs = Array.from({ length: 50 }, (_, n) => {
    const path = join(folder, String(n));
    const start = performance.now();
    mkdirSync(path);
    return (performance.now() - start) * 1000;
  });
  rmSync(folder, { recursive: true });
  return median(costs);
}
