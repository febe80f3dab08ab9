/**
 * A process that brings three tasks of a plan through and dies at the n-th boundary:
 * `victim.ts FOLDER DIR CRASH_AT alone|family [no-sweep]`. What is done is noted in a journal, as a run does, so another life goes on
 * where this one died, and does again what was under way. With CRASH_AT 0 it lives, and writes the boundaries it passed.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setProbe } from '../../src/lib/probe.ts';
import type { Workspace } from '../../src/model/workspace.ts';
import { land } from '../../src/workspace/landing.ts';
import { bringUpToDate } from '../../src/workspace/bring-up-to-date.ts';
import { rescue } from '../../src/workspace/rescue.ts';
import { restore, snapshot } from '../../src/workspace/snapshot.ts';
import { takeOver } from '../../src/workspace/take-over.ts';
import { sweep } from '../../src/workspace/sweep.ts';
import { closeWorkspace } from '../../src/workspace/close.ts';
import { must, put, seal, targetAt, workspaceFor } from './rig.ts';

const [folder = '', dir = '', crashAt = '0', how = 'alone', bug = ''] = process.argv.slice(2);
const passed: string[] = [];
setProbe((point) => {
  passed.push(point);
  if (passed.length !== Number(crashAt)) return;
  if (how === 'alone') process.kill(process.pid, 'SIGKILL');
  // With the git that it starts next: what a machine that loses power does.
  setTimeout(() => process.kill(0, 'SIGKILL'), 4);
});

const journal = join(folder, 'journal');
const noted = new Map(
  (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n') : [])
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [string, unknown]),
);

async function step<T>(name: string, act: () => Promise<T>): Promise<T> {
  if (noted.has(name)) return noted.get(name) as T;
  const value = await act();
  appendFileSync(journal, `${JSON.stringify([name, value])}\n`);
  return value;
}

const fine = { verify: () => Promise.resolve({ ok: true } as const) };
const target = await targetAt(folder, dir);
// The planted bug: what a process that died left half-done stays.
if (bug !== 'no-sweep') await sweep(target);
const open = (task: string) => step(`open ${task}`, () => workspaceFor(target, task));
const write = (name: string, { dir: at }: Workspace, files: Readonly<Record<string, string>>) =>
  step(name, () => Promise.resolve(put(at, files)));
const bringIn = (name: string, workspace: Workspace) =>
  step(name, async () => must(await land(target, workspace, await seal(target, workspace), fine)).at);
const close = (workspace: Workspace) =>
  step(`close ${workspace.task}`, async () => must(await closeWorkspace(target, workspace)));

const first = await open('T001');
const second = await open('T002');
const third = await open('T003');
await write('work T001', first, { 'a.txt': 'one\nfirst\n', 'new/f.txt': 'f\n' });
await write('work T002', second, { 'a.txt': 'one\nsecond\n', 's.txt': 's\n' });
await write('work T003', third, { 'b.txt': 'failed\n', 'untracked.txt': 'u\n' });
await bringIn('land T001', first);
await close(first);
const conflict = await bringIn('land T002', second);
const update = await step('update T002', async () => must(await bringUpToDate(target, second)));
await write('resolve T002', update.workspace, { 'a.txt': 'one\nfirst\nsecond\n' });
const landed = await bringIn('land T002 again', update.workspace);
await close(update.workspace);
const kept = await step('rescue T003', async () => must(await rescue(target, third)));
await close(third);
const before = await step('snapshot', async () =>
  must(await snapshot(target, 'T004-1', ['b.txt', 'hosted.txt'])),
);
await step('hosted', () => Promise.resolve(put(target.dir, { 'b.txt': 'hosted\n', 'hosted.txt': 'h\n' })));
const paths = ['b.txt', 'hosted.txt'];
const after = await step('snapshot after', async () => must(await snapshot(target, 'T004-1-now', paths)));
const taken = await step('take over', async () => {
  const byHand = { task: 'T004', attempt: 1, by: 'ada', before, after, paths };
  const work = { ...byHand, message: 'T004: work', trailers: {} };
  const end = must(await takeOver(target, work, { now: after, later: new Set(), ...fine }));
  // Whoever died before saying so finds it there.
  return end.at === 'there' ? 'taken' : end.at;
});
await step('restore', async () => must(await restore(target, before, ['b.txt', 'hosted.txt'])));
const { removed, open: left } = bug === 'no-sweep' ? { removed: [], open: [] } : await sweep(target);
const said = { conflict, conflicts: update.conflicts, landed, kept, taken, left, removed };
writeFileSync(join(folder, 'said.json'), JSON.stringify({ passed, said }));
