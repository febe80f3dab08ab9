import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PayProject, plan, until } from '../pay/project.ts';
import { approvedPlan } from '../pay/scenarios.ts';
import { programForPerson } from '../rig/program.ts';

const ordered = ['plan', 'records.md', '--yes'];

/** Below the project's folder. */
function taskFile(id: string): string {
  return join('.tutti', 'plans', plan, 'tasks', `${id}.json`);
}

/** What a person sees of a plan before they approve it, and what a mistyped answer does. */
export async function seenBeforeApproval(program?: string): Promise<{
  readonly namesUncommitted: boolean;
  readonly showsCommands: boolean;
  readonly typo: { readonly code: number | null; readonly stillAsked: boolean };
}> {
  using project = new PayProject(program);
  project.write('unfinished.txt', 'half a thought\n');
  const planned = await project.run('plan', 'records.md');
  const shown = await project.run('plan', 'show', '--plan', plan);
  const { code } = await project.run('answer', 'Q1', 'aprove');
  const inbox = await project.run('inbox');
  await project.run('stop', '--all');
  return {
    namesUncommitted: `${planned.stdout}${planned.stderr}`.includes('unfinished.txt'),
    showsCommands: shown.stdout.includes('node --test test/print.test.js'),
    typo: { code, stillAsked: inbox.stdout.includes(', approval  ') },
  };
}

/** Whether the question about a blocked plan says what its verifier found. */
export async function namesIssues(program?: string): Promise<boolean> {
  using project = new PayProject(program);
  project.write('mood.json', JSON.stringify([['validation', 'block']]));
  await project.run(...ordered);
  const { stdout } = await project.run('inbox');
  if (!stdout.includes('BLOCKED it is')) throw new Error(`nothing is blocked: ${stdout}`);
  return stdout.includes('T001: look');
}

/** A plan begun on one branch is landed while another one is checked out; returns what `land` did there. */
export async function landedElsewhere(
  program?: string,
): Promise<{ readonly code: number | null; readonly landed: boolean }> {
  using project = new PayProject(program);
  await project.run(...ordered);
  const executed = await project.run('execute', '--batch');
  if (executed.code !== 0) throw new Error(executed.stderr);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: project.path, encoding: 'utf8' });
  git('checkout', '-qb', 'elsewhere');
  const { code } = await project.run('land', '--plan', plan);
  return { code, landed: git('ls-files').includes('src/parse.js') };
}

/** A task is edited by hand and given a later phase, another behavior changes, and the plan is made again. */
export async function editedByHand(
  program?: string,
): Promise<{ readonly editKept: boolean; readonly phaseKept: boolean }> {
  using project = new PayProject(program, 3);
  await project.run(...ordered);
  project.edit(taskFile('T002'), 'All tests of print', 'Quickly all tests of print');
  project.edit(taskFile('T003'), '"phase": 3', '"phase": 7');
  project.edit('records.md', 'reads records', 'reads records in order');
  const mine = project.read(taskFile('T002'));
  await project.run(...ordered);
  await project.run('answer', 'Q1', 'keep mine');
  await project.run(...ordered);
  return {
    editKept: project.read(taskFile('T002')) === mine,
    phaseKept: project.read(taskFile('T003')).includes('"phase": 7'),
  };
}

/** A task that is done is edited by hand: the launches that are forecast then, and the turns that an approval pays for. */
export async function forecastOfEdit(
  program?: string,
): Promise<{ readonly launches: number; readonly turns: readonly string[] }> {
  using project = await approvedPlan(program);
  await project.run('execute', '--batch');
  project.edit(taskFile('T001'), 'All tests of parse', 'Quickly all tests of parse');
  const { stdout } = await project.run('plan', 'show', '--json');
  const { estimate } = JSON.parse(stdout) as { readonly estimate: { readonly launches: number } };
  await project.run('plan', 'verify');
  await project.run('plan', 'approve');
  project.forgetTurns();
  await project.run('execute', '--batch');
  return { launches: estimate.launches, turns: project.turns() };
}

/** A task is edited so that only its author could repair it, and `plan verify` looks at it. Returns the turns it paid for. */
export async function verifiedBrokenTask(program?: string): Promise<readonly string[]> {
  using project = new PayProject(program);
  await project.run(...ordered);
  project.forgetTurns();
  project.edit(taskFile('T001'), '"T001"', '"T0O1"');
  await project.run('plan', 'verify');
  await project.run('stop', '--all');
  return project.turns();
}

/** An approved plan is executed on a terminal: whether it asks before it starts the first task. */
export async function askedAgain(program?: string): Promise<boolean> {
  using project = await approvedPlan(program);
  const socket = join(project.path, '.tutti', 'terminal');
  const tmux = (...args: readonly string[]): string =>
    spawnSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).stdout;
  const env = Object.entries({ ...project.env, PATH: process.env['PATH'] ?? '' }).map((pair) =>
    pair.join('='),
  );
  const file = program ?? programForPerson(['execute']);
  const pane = [
    '-x',
    '120',
    '-y',
    '40',
    'env',
    '-i',
    ...env,
    'TERM=xterm',
    process.execPath,
    file,
    'execute',
  ];
  try {
    tmux('new-session', '-d', '-s', 'person', '-c', project.path, ...pane);
    let shown = '';
    await until(() => {
      shown = tmux('capture-pane', '-p', '-t', 'person');
      return shown.includes('Execute 2 tasks') || project.turns().includes('T001');
    });
    return shown.includes('Execute 2 tasks');
  } finally {
    tmux('kill-server');
    await project.run('stop', '--all');
  }
}
