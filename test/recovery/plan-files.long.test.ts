import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentsOf } from '../cli/project.ts';
import { PayProject, plan } from '../pay/project.ts';

const folders = ['inputs', 'artifacts', 'tasks'];

const filesOf = (project: PayProject): unknown =>
  folders.map((folder) => contentsOf(join(project.path, '.tutti', 'plans', plan, folder)));

test.each(['.tutti', '.tutti/plans'])(
  'recover restores the files of a plan after %s was deleted, and nothing is paid again',
  async (removed) => {
    using project = new PayProject();
    expect((await project.run('plan', 'records.md')).code).toBe(3);
    expect((await project.run('plan', 'approve')).code).toBe(0);
    const before = filesOf(project);
    project.forgetTurns();
    // A conductor that leaves may still write.
    rmSync(join(project.path, removed), { recursive: true, maxRetries: 20 });
    if (removed === '.tutti')
      expect((await project.run('plan', 'list')).stdout).toContain('restore its plans: tutti recover');
    const recovered = await project.run('recover');
    expect(recovered.code, recovered.stdout + recovered.stderr).toBe(0);
    expect(filesOf(project)).toEqual(before);
    expect((await project.run('plan', 'show')).code).toBe(0);
    expect((await project.run('plan', 'records.md')).code).toBe(0);
    expect(project.turns()).toEqual([]);
    const executed = await project.run('execute');
    expect(executed.code, executed.stderr).toBe(0);
  },
);

test('recover names the files of a plan that are kept nowhere', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md')).code).toBe(3);
  rmSync(join(project.path, '.tutti', 'plans'), { recursive: true });
  const kept = join(project.path, '..', 'home', 'state', 'tutti', 'plans');
  expect(existsSync(kept)).toBe(true);
  rmSync(kept, { recursive: true });
  const recovered = await project.run('recover');
  expect(recovered.code).toBe(12);
  expect(recovered.stdout).toContain(
    `lost: plan ${plan}: its files are gone and no copy is kept: inputs/spec.md, artifacts/capability-map.json, artifacts/physical-map.json, tasks/\n`,
  );
  expect(recovered.stdout).toContain(`plan it again: tutti plan SPEC --plan ${plan}`);
});

/** Commands that read the files of the plan, or would have agents write them again. */
const readers: readonly (readonly string[])[] = [
  ['plan', 'status'],
  ['plan', 'show'],
  ['plan', 'approve'],
  ['plan', 'load-tasks'],
  ['plan', 'verify'],
  ['plan', 'records.md'],
  ['plan'],
  ['execute'],
];

async function hintsOf(project: PayProject): Promise<readonly string[]> {
  const hints: string[] = [];
  for (const words of readers) {
    const { stdout, stderr } = await project.runAsPerson(...words);
    hints.push(/→ (.*)/.exec(stdout + stderr)?.[1] ?? '');
  }
  return hints;
}

test('after the files of a plan were deleted, every command that needs them names recover, and none pays again', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md', '--yes')).code).toBe(0);
  // The control: with the files in their place, no command names it.
  expect((await project.runAsPerson('plan', 'status')).stdout).toContain('→ tutti execute');
  project.forgetTurns();
  rmSync(join(project.path, '.tutti', 'plans'), { recursive: true });
  const [next, ...hints] = await hintsOf(project);
  expect(next).toBe('tutti recover');
  expect(new Set(hints)).toEqual(new Set(['restore them: tutti recover']));
  expect((await project.run('recover')).code).toBe(0);
  expect((await project.run('execute')).code).toBe(0);
  expect(project.turns().filter((turn) => !/^T\d+/.test(turn))).toEqual([]);
});

test('after the task files of a plan were deleted, its run names recover, and not an edit', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md', '--yes')).code).toBe(0);
  expect((await project.run('execute')).code).toBe(0);
  rmSync(join(project.path, '.tutti', 'plans', plan, 'tasks'), { recursive: true });
  const { code, stderr } = await project.run('resume', `${plan}-execute`);
  expect(code).toBe(69);
  expect(stderr).toContain(
    `tutti: files of plan ${plan} are gone, and a copy is kept: tasks/\n  → restore them: tutti recover\n`,
  );
});

test('a command does not name recover for files of a plan that are kept nowhere', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md', '--yes')).code).toBe(0);
  rmSync(join(project.path, '.tutti', 'plans'), { recursive: true });
  rmSync(join(project.path, '..', 'home', 'state', 'tutti', 'plans'), { recursive: true });
  const shown = await project.run('plan', 'show');
  expect(shown.stderr).toContain('inputs/spec.md: does not exist');
  expect(shown.stderr).not.toContain('recover');
});

test('control: a copy that does not keep the files word for word is seen in what recover restores', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md')).code).toBe(3);
  const before = filesOf(project);
  const kept = join(project.path, '..', 'home', 'state', 'tutti', 'plans');
  const copies = readdirSync(kept, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'));
  expect(copies.length).toBe(1);
  for (const name of copies) {
    const file = join(kept, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('reads records', 'reads'));
  }
  rmSync(join(project.path, '.tutti', 'plans'), { recursive: true });
  expect((await project.run('recover')).code).toBe(0);
  expect(filesOf(project)).not.toEqual(before);
});

test('recover restores the deleted file of one task, also after other commands changed the plan', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md', '--yes')).code).toBe(0);
  const before = filesOf(project);
  const tasks = join(project.path, '.tutti', 'plans', plan, 'tasks');
  const [first = ''] = readdirSync(tasks).filter((name) => name.endsWith('.json'));
  rmSync(join(tasks, first));
  // A command that writes the plan's views, and with them the copy.
  await project.run('plan', 'halt', 'looking');
  const started = await project.run('task', 'start', first.replace('.json', ''));
  expect(started.stderr).toContain('tutti recover');
  const recovered = await project.run('recover');
  expect(recovered.code, recovered.stderr).toBe(0);
  expect(recovered.stdout).toContain(`${plan}/tasks/${first}`);
  expect(filesOf(project)).toEqual(before);
});

test('rebuild writes every file again after .tutti was deleted and recovered', async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md', '--yes')).code).toBe(0);
  rmSync(join(project.path, '.tutti'), { recursive: true });
  expect((await project.run('recover')).code).toBe(0);
  const rebuilt = await project.run('rebuild');
  expect(rebuilt.code, rebuilt.stderr).toBe(0);
  expect(existsSync(join(project.path, '.tutti', 'logs', 'orchestrator.log'))).toBe(true);
});
