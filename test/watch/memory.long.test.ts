import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedTutti } from '../rig/installed-tutti.ts';
import { SessionProject } from '../sessions/project.ts';
import { trustProject } from '../rig/trust.ts';

const megabyte = 1024 * 1024;

/** 200 MB, written a megabyte at a time. */
function writeLog(path: string, piece: Buffer): void {
  const file = openSync(path, 'w');
  for (let bytes = 0; bytes < 200 * megabyte; bytes += piece.length) writeSync(file, piece);
  closeSync(file);
}

interface Watched {
  /** The most memory the process ever had, in MB, as the system counts it. */
  readonly peak: number;
  readonly bytes: number;
  readonly code: number | null;
}

/** Reads what it prints as fast as it comes; its peak is read before it may end. */
async function watched(folder: string, args: readonly string[]): Promise<Watched> {
  return measured(folder, [installedTutti(), 'session', ...args]);
}

async function measured(folder: string, argv: readonly string[]): Promise<Watched> {
  const env = { PATH: process.env['PATH'], HOME: folder };
  trustProject(folder, env);
  const child: ChildProcess = spawn(process.execPath, argv, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [bytes, peak] = [0, 0];
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { peak, bytes, code };
}

function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const lines = Buffer.from('a line of text that an agent wrote, with Grüße 世界\n'.repeat(17_000));
const endless = Buffer.alloc(megabyte, 'x');

test.runIf(process.platform === 'linux')(
  'a log of 200 MB is shown in less than 50 MB more than an empty one takes',
  { timeout: 300_000 },
  async () => {
    await using project = new SessionProject();
    const tutti = project.open();
    const { id } = await project.create(tutti, 'say something');
    await project.untilStatus(tutti, id, 'COMPLETED');
    const log = join(project.path, '.tutti', 'sessions', id, 'output.log');
    const small = await watched(project.path, ['logs', id]);
    expect(small.peak).toBeGreaterThan(20);

    writeLog(log, lines);
    const all = await watched(project.path, ['logs', id, '--follow']);
    expect(all).toMatchObject({ code: 0, bytes: 200 * megabyte + remainder(lines) });
    expect(all.peak - small.peak).toBeLessThan(50);
    const last = await watched(project.path, ['logs', id, '--lines', '10000']);
    expect(last.bytes).toBe(
      10_000 * Buffer.byteLength('a line of text that an agent wrote, with Grüße 世界\n'),
    );
    expect(last.peak - small.peak).toBeLessThan(50);
    // Control: whoever takes all of it at once is found out.
    const careless = `process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(log)}, 'utf8'))`;
    expect((await measured(project.path, ['-e', careless])).peak - small.peak).toBeGreaterThan(50);

    writeLog(log, endless);
    const flood = await watched(project.path, ['logs', id]);
    expect(flood).toMatchObject({ code: 0 });
    expect(flood.bytes).toBeLessThan(100_000);
    expect(flood.peak - small.peak).toBeLessThan(50);
  },
);

/** How much the last piece goes beyond 200 MB. */
function remainder(piece: Buffer): number {
  return Math.ceil((200 * megabyte) / piece.length) * piece.length - 200 * megabyte;
}
