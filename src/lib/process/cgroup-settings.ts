/** What a group may hold its members to; null is no limit. */
export interface GroupLimits {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  /** Hundredths of one core. */
  readonly cpuPercent: number | null;
}

export type Held = 'memory' | 'processes' | 'cpu';

/** A file of the group and what is written into it. */
export type GroupFile = readonly [file: string, value: string];

export interface Setting {
  readonly held: Held;
  readonly controller: string;
  /** By version. The first decides, the others help where they exist. */
  readonly files: Readonly<Record<1 | 2, readonly GroupFile[]>>;
}

const periodUs = 100_000;
/** The kernel takes no less. */
const leastQuotaUs = 1000;

export function settings({ memoryBytes, processes, cpuPercent }: GroupLimits): readonly Setting[] {
  const wanted: Setting[] = [];
  if (memoryBytes !== null) wanted.push(memory(String(memoryBytes)));
  if (processes !== null) wanted.push(pids(String(processes)));
  if (cpuPercent !== null) wanted.push(cpu(Math.round((cpuPercent / 100) * periodUs)));
  return wanted;
}

/** Swap counts too where that can be said: a limit that only moves pages to the disk is none. */
function memory(bytes: string): Setting {
  const one: readonly GroupFile[] = [
    ['memory.limit_in_bytes', bytes],
    ['memory.memsw.limit_in_bytes', bytes],
  ];
  const two: readonly GroupFile[] = [
    ['memory.max', bytes],
    ['memory.swap.max', '0'],
  ];
  return { held: 'memory', controller: 'memory', files: { 1: one, 2: two } };
}

function pids(count: string): Setting {
  const file: readonly GroupFile[] = [['pids.max', count]];
  return { held: 'processes', controller: 'pids', files: { 1: file, 2: file } };
}

function cpu(wantedUs: number): Setting {
  const quotaUs = String(Math.max(leastQuotaUs, wantedUs));
  const one: readonly GroupFile[] = [
    ['cpu.cfs_quota_us', quotaUs],
    ['cpu.cfs_period_us', String(periodUs)],
  ];
  return { held: 'cpu', controller: 'cpu', files: { 1: one, 2: [['cpu.max', `${quotaUs} ${periodUs}`]] } };
}
