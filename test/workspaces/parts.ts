import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Target, Workspace } from '../../src/model/workspace.ts';
import { land, type VerifyLanding } from '../../src/workspace/landing.ts';
import { bringUpToDate } from '../../src/workspace/bring-up-to-date.ts';
import { git, must, put, seal } from './rig.ts';

const run = promisify(execFile);

/** No two parts may have one slot, and the list names no part twice: two tasks can break it without one common line. */
const check = `import { readdirSync, readFileSync } from 'node:fs';
const slots = readdirSync('parts').map((name) => readFileSync('parts/' + name, 'utf8'));
const list = readFileSync('list.txt', 'utf8');
if (new Set(slots).size !== slots.length) throw new Error('two parts have one slot');
if (list.includes('<<<<')) throw new Error('a conflict was left in');
`;

export const project = { 'check.mjs': check, 'parts/start': 'slot 0', 'list.txt': 'start\n' };

async function passes(folder: string): Promise<boolean> {
  return run(process.execPath, ['check.mjs'], { cwd: folder }).then(
    () => true,
    () => false,
  );
}

export const verified: VerifyLanding = async (dir) =>
  (await passes(dir)) ? { ok: true } : { ok: false, task: '?', criterion: 'check', output: '' };

/** What the agent of one task writes; asked again on newer work, it looks at what is there. */
function work({ task, dir }: Workspace, at: number): void {
  const taken = new Set(
    readdirSync(join(dir, 'parts')).flatMap((name) =>
      name === task ? [] : [readFileSync(join(dir, 'parts', name), 'utf8')],
    ),
  );
  // Pairs of tasks want the same slot, and see only then that it is taken.
  const wanted = `slot ${at % 10 < 2 ? 1000 + Math.floor(at / 10) : at}`;
  put(dir, { [`parts/${task}`]: taken.has(wanted) ? `slot ${2000 + at}` : wanted });
  if (at % 10 !== 5) return;
  // Several tasks add a line at the same place.
  const lines = readFileSync(join(dir, 'list.txt'), 'utf8').split('\n');
  const clean = lines.filter((line) => line !== '' && line !== task && !/^[<=>]{7}/.test(line));
  put(dir, { 'list.txt': [...clean, task, ''].join('\n') });
}

export interface Landed {
  readonly conflicts: number;
  readonly broken: number;
}

/** Works, seals and lands until it is in, as a run would. */
export async function bringIn(
  target: Target,
  first: Workspace,
  at: number,
  verify: VerifyLanding,
): Promise<Landed> {
  let workspace = first;
  let conflicts = 0;
  let broken = 0;
  for (;;) {
    work(workspace, at);
    const end = must(await land(target, workspace, await seal(target, workspace), { verify }));
    if (end.at === 'landed') return { conflicts, broken };
    if (end.at === 'conflict') conflicts += 1;
    else broken += 1;
    ({ workspace } = must(await bringUpToDate(target, workspace)));
  }
}

/** Commits of the integration branch on which the project's own check fails. */
export async function redCommits(target: Target, folder: string): Promise<readonly string[]> {
  const commits = git(target.gitDir, 'rev-list', '--reverse', 'tutti/shop/integration').split('\n');
  const red: string[] = [];
  for (const commit of commits) {
    const at = join(folder, commit);
    mkdirSync(at, { recursive: true });
    git(folder, `--git-dir=${target.gitDir}`, `--work-tree=${at}`, 'checkout', '-q', '-f', commit, '--', '.');
    if (!(await passes(at))) red.push(commit);
  }
  return red;
}
