import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tempFolder } from '../rig/temp-folder.ts';
import { testSeed } from '../rig/test-seed.ts';
import { ledger, writeFlowProject } from './flows.ts';
import { live, type Life } from './life.ts';

/** What a run left behind, whoever advanced it and however often. */
export interface Remains {
  readonly outcome: string | null;
  readonly value: string | null;
  /** `begin` and `end` lines of every process, sorted: how often each part really ran. */
  readonly ledger: readonly string[];
  readonly boundaries: readonly string[];
  /** How long the process that finished it took until it went on with the run. */
  readonly resumedMs: number;
}

export interface Swept {
  readonly point: number;
  readonly remains: Remains;
  readonly problem: string | null;
}

/** Runs the flow undisturbed: the measure of everything else, and the list of boundaries. */
export async function undisturbed(flow: string): Promise<Remains> {
  using folder = tempFolder();
  const file = writeFlowProject(folder.path, flow);
  const life = await lived(folder.path, file, 0);
  const remains = remainsOf(folder.path);
  if (life.code !== 0) throw new Error(`the undisturbed run of '${flow}' failed: ${life.stderr}`);
  return remains;
}

/** Kills the advancing process at one boundary, then lets another one finish the run. */
export async function crashAt(flow: string, point: number, bug: string): Promise<Swept> {
  using folder = tempFolder();
  const file = writeFlowProject(folder.path, flow);
  const first = await lived(folder.path, file, point);
  if (!first.killed) return { point, remains: remainsOf(folder.path), problem: null };
  const second = await lived(folder.path, file, 0, bug);
  const problem =
    second.code === 0 ? null : `resuming ended with ${second.code ?? 'a signal'}: ${second.stderr}`;
  return { point, remains: remainsOf(folder.path), problem };
}

/** Every distinct kind of boundary, and enough of the rest to make `wanted` points; the seed decides which. */
export function pointsOf(boundaries: readonly string[], wanted: number): readonly number[] {
  const all = boundaries.map((_, index) => index + 1);
  const firsts = boundaries.flatMap((name, index) => (boundaries.indexOf(name) === index ? [index + 1] : []));
  const stride = Math.max(1, Math.floor(all.length / wanted));
  const spread = all.filter((point) => point % stride === testSeed % stride);
  return [...new Set([...firsts, ...spread])].toSorted((a, b) => a - b);
}

function lived(folder: string, file: string, point: number, bug = ''): Promise<Life> {
  return live('victim.ts', [folder, file, String(point), bug], { PATH: process.env['PATH'], HOME: folder });
}

function remainsOf(folder: string): Remains {
  const db = new DatabaseSync(join(folder, '.tutti', 'tutti.db'), { readOnly: true });
  const run = db.prepare('select outcome, value from runs').get() as
    | { outcome: string | null; value: string | null }
    | undefined;
  db.close();
  return {
    outcome: run?.outcome ?? null,
    value: run?.value ?? null,
    ledger: lines(join(folder, ledger)).toSorted(),
    ...lifeOf(join(folder, 'boundaries.json')),
  };
}

function lifeOf(path: string): Pick<Remains, 'boundaries' | 'resumedMs'> {
  const [text = '{}'] = lines(path);
  const { passed = [], resumedMs = null } = JSON.parse(text) as {
    passed?: string[];
    resumedMs?: number | null;
  };
  return { boundaries: passed, resumedMs: resumedMs ?? Number.POSITIVE_INFINITY };
}

function lines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
