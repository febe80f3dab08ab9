import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledgerOf, type Remains, remainsOf, writeFaultProject } from './flow.ts';
import { complaint, databaseFiles, live, resume, start } from './lives.ts';

/** One system call that fails, once or from then on; only in the process that advances, never in agents. */
export interface Fault {
  /** Where it hits: `database` counts the calls on the database's files alone, `files` all calls of the process. */
  readonly on: 'database' | 'files';
  readonly call: string;
  readonly error: string;
  readonly at: number;
  readonly lasting: boolean;
}

export interface Struck {
  readonly fault: Fault;
  /** Whether the call that failed was on a file of `.tutti`; timing may move a count by one. */
  readonly hit: boolean;
  readonly problem: string | null;
}

/** The calls of an undisturbed run, by name: at which counts they touch state. */
export type Calls = ReadonlyMap<string, readonly number[]>;

const traced = [
  'openat',
  'pwrite64',
  'write',
  'fsync',
  'fdatasync',
  'ftruncate',
  'mkdir',
  'rename',
  'unlink',
];

export interface Undisturbed {
  readonly database: Calls;
  readonly files: Calls;
  readonly ledger: readonly string[];
}

/** Enumerated from the real thing, so that every kind of state write is met and none is forgotten. */
export async function undisturbed(): Promise<Undisturbed> {
  using folder = tempFolder();
  writeFaultProject(folder.path);
  const log = join(folder.path, 'trace');
  const life = await live(folder.path, start, { below: straceOf('files', folder.path, log, []) });
  if (life.code !== 0) throw new Error(`the undisturbed run failed: ${life.stderr}`);
  const lines = readFileSync(log, 'utf8').split('\n');
  const onDatabase = lines.filter((line) => /\.tutti\/tutti\.db/.test(line));
  return {
    database: countsOf(onDatabase, () => true),
    files: countsOf(lines, (line) => line.includes('/.tutti/') && !/\.tutti\/tutti\.db/.test(line)),
    ledger: ledgerOf(folder.path),
  };
}

/** A first life with the fault, then a second one without: what a person would do when the disk has space again. */
export async function strike(fault: Fault, whole: readonly string[], planted = ''): Promise<Struck> {
  using folder = tempFolder();
  writeFaultProject(folder.path);
  const log = join(folder.path, 'trace');
  writeFileSync(log, '');
  const inject = `inject=${fault.call}:error=${fault.error}:when=${fault.at}${fault.lasting ? '+' : ''}`;
  const first = await live(folder.path, start, {
    below: straceOf(fault.on, folder.path, log, [inject]),
    planted,
  });
  const injected = readFileSync(log, 'utf8')
    .split('\n')
    .find((line) => line.includes('(INJECTED)'));
  const hit = injected?.includes('/.tutti') ?? false;
  const before = remainsOf(folder.path);
  // Timing can move the count to a pipe inside Node: not a state write, and nothing that Tutti could answer.
  if (injected?.includes('<pipe:') || injected?.includes('<anon_inode:'))
    return { fault, hit, problem: null };
  const told = complaint(first, folder.path);
  if (told !== null) return { fault, hit, problem: told };
  return { fault, hit, problem: await recovered(folder.path, first.code === 0, before, whole) };
}

/** Null when nothing acknowledged was lost, nothing ran twice, and the run can be ended in success. */
export async function recovered(
  folder: string,
  finished: boolean,
  before: Remains,
  whole: readonly string[],
): Promise<string | null> {
  if (before.integrity !== 'ok') return `the database is damaged: ${before.integrity}`;
  // A write whose sync failed may have happened all the same: then the run has ended, and there is nothing to resume.
  if (!finished && before.outcome !== 'SUCCESS') {
    const known = before.exists;
    const second = await live(folder, known ? resume : start);
    if (second.code !== 0) return `it could not go on: ${second.stdout}${second.stderr}`;
  }
  const after = remainsOf(folder);
  const lost = before.done.filter((key) => !after.done.includes(key));
  if (after.integrity !== 'ok') return `the database is damaged afterwards: ${after.integrity}`;
  if (after.outcome !== 'SUCCESS') return `the run ended as ${after.outcome ?? 'nothing'}`;
  if (lost.length > 0) return `lost: ${lost.join(', ')}`;
  if (after.ledger.join() !== whole.join()) return `not what should have run: ${after.ledger.join(', ')}`;
  return null;
}

function straceOf(
  on: Fault['on'],
  folder: string,
  log: string,
  injects: readonly string[],
): readonly string[] {
  const paths = on === 'database' ? databaseFiles(folder).flatMap((path) => ['-P', path]) : [];
  // Without -f: neither agents nor other threads are followed, so the fault stays with the process that advances.
  return [
    'strace',
    '-y',
    '-o',
    log,
    '-e',
    `trace=${traced.join()}`,
    ...injects.flatMap((inject) => ['-e', inject]),
    ...paths,
  ];
}

function countsOf(lines: readonly string[], concerns: (line: string) => boolean): Calls {
  const counts = new Map<string, number>();
  const found = new Map<string, number[]>();
  for (const line of lines) {
    const call = /^([a-z0-9]+)\(/.exec(line)?.[1];
    if (call === undefined) continue;
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    if (concerns(line)) found.set(call, [...(found.get(call) ?? []), count]);
  }
  return found;
}
