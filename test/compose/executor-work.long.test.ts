import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { executorAnswerForm } from '../../src/model/schemas/spawn-output.ts';
import { ExecutorProject } from './executor-project.ts';
import { answerOf } from './project.ts';

test('an agent that does nothing, lies, or says that it failed is not believed', async () => {
  using project = new ExecutorProject();
  const unhelpful = [
    ['silent', 'nothing', 11],
    ['says that it is done, and did nothing', 'says:STAGE_PLAN_COMPLETE', 11],
    ['names a file that it never wrote', 'succeeds names:docs/never.md', 11],
    ['names a file that was there', 'succeeds names:README.md', 11],
    ['says that it failed', 'succeeds writes:docs/a.md says:STAGE_FAILED:%no%target', 1],
    ['fails by its result and not by its words', 'fails writes:docs/a.md says:STAGE_PLAN_COMPLETE', 1],
    ['says another action is complete', 'writes:docs/a.md says:STAGE_TEST_COMPLETE', 1],
  ] as const;
  for (const [name, words, exit] of unhelpful) {
    const { code, out, err } = await project.work('PLAN', words);
    expect({ name, code, ...answerOf(out) }, err).toMatchObject({
      name,
      code: exit,
      EXIT_CODE: String(exit),
    });
    expect(answerOf(out)).not.toHaveProperty('ARTIFACT');
    // What it wrote is put back.
    expect({ name, left: existsSync(join(project.path, 'docs/a.md')) }).toEqual({ name, left: false });
  }
});

test('a file outside the declared paths is healed, or put back with the rest and kept', async () => {
  using project = new ExecutorProject();
  const healed = await project.work(
    'WRITE',
    'writes:docs/a.md writes:README.md succeeds then removes:README.md succeeds',
  );
  // Removing it is a change too.
  expect([healed.code, project.read('README.md')], healed.err).toEqual([10, 'as it was\n']);
  const { RESCUE = '', REFINEMENT = '' } = answerOf(healed.out);
  expect(RESCUE).toMatch(/^'refs\/tutti\/rescue\/project\+/);
  const request = project.read(REFINEMENT);
  expect(request).toContain('# Refinement Request');
  expect(request).toContain('it changed files that it may not write: README.md');
  expect(request).toContain('- Attempt: 3 of 3 (self-heal exhausted)');
  expect(project.begun).toHaveLength(3);
  expect(existsSync(join(project.path, 'docs/a.md'))).toBe(false);
  const signal = project.read(
    `.tutti/runs/${answerOf(healed.out)['RUN_ID'] ?? ''}/.signals/exec-work.refine`,
  );
  expect(signal).toContain('status: "needs-refinement"');
  expect(signal).toContain(`path: "${REFINEMENT}"\nsize: ${Buffer.byteLength(request)}\n`);
});

test('a gate that fails is healed in the same conversation, at most twice', async () => {
  using project = new ExecutorProject();
  const good = await project.work('GATED', 'writes:docs/a.md succeeds then writes:docs/done.md succeeds');
  expect(good.code, good.err).toBe(0);
  expect(project.begun).toHaveLength(2);
  expect(project.noted('prompt-2')).toContain('Previous attempt failed with:');
  // Something changes each time, so it may be tried twice.
  const bad = await project.work('GATED', 'writes:docs/b.md removes:docs/done.md succeeds');
  expect(bad.code, bad.err).toBe(10);
  expect(project.begun).toHaveLength(5);
  // Files of the call before it, which was accepted, are not its own.
  expect(project.read('docs/done.md')).toBe('by turn 2\n');
});

test('an action that must change something fails where it changes nothing', async () => {
  using project = new ExecutorProject();
  const { code, err } = await project.work('CHANGE', 'succeeds summary:all%done');
  expect([code, err.includes('it changed no file')]).toEqual([11, true]);
  // The folder need not be a repository.
  const changed = await project.work('CHANGE', 'writes:docs/a.md succeeds');
  expect(changed.code, changed.err).toBe(0);
});

test('in a repository the kept work is shown under its ref, and edits of a person stay', async () => {
  using project = new ExecutorProject();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: project.path,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  project.write('README.md', 'edited by a person\n');
  project.write('notes.txt', 'not added yet\n');
  const { code, out, err } = await project.work('WRITE', 'writes:docs/a.md writes:README.md succeeds');
  expect(code, err).toBe(10);
  expect(project.read('README.md')).toBe('edited by a person\n');
  expect(project.read('notes.txt')).toBe('not added yet\n');
  expect(project.read('docs/a.md')).toBe('');
  const rescue = (answerOf(out)['RESCUE'] ?? '').replaceAll("'", '');
  expect(git('show', `${rescue}:README.md`)).toBe('edited by a person\nby turn 1\nby turn 2\nby turn 3\n');
  expect(git('show', `${rescue}:docs/a.md`)).toContain('by turn 1');
  expect(git('status', '--short', '--', 'README.md', 'docs', 'notes.txt')).toBe(
    ' M README.md\n?? notes.txt\n',
  );
});

test('files that a gate writes are not blamed on the agent', async () => {
  const gated = `actions:
  - name: BUILD
    args: [target]
    writes: ["docs/**"]
    gates: [{ command: [sh, -c, "echo x >> built.txt; test -e docs/done.md"] }]
system_prompt: |
  ## Role
  You are a worker.
`;
  using project = new ExecutorProject({ files: { 'compose/executors/build.yaml': gated } });
  const words = 'writes:docs/a.md succeeds then writes:docs/done.md succeeds';
  const { code, err } = await project.call(['executor', 'build', 'BUILD', words]);
  expect(code, err).toBe(0);
  expect(project.read('built.txt')).toBe('x\nx\n');
  // Control: the agent itself may not write it.
  const blamed = await project.call([
    'executor',
    'build',
    'BUILD',
    'writes:built.txt writes:docs/done.md succeeds',
  ]);
  expect([blamed.code, blamed.err.includes('built.txt')]).toEqual([10, true]);
});

test('the same call of a run keeps its result, and a higher ceiling continues refused work where it stopped', async () => {
  using project = new ExecutorProject();
  const words = 'writes:docs/a.md succeeds then writes:docs/done.md succeeds';
  const call = (...flags: readonly string[]) => project.work('GATED', words, '--run-id', 'named', ...flags);
  const refused = await call('--max-launches', '1');
  expect(refused.code, refused.err).toBe(10);
  expect(refused.err).toContain('→ repeat the command with a higher ceiling (now 1): tutti executor work');
  expect(project.read(answerOf(refused.out)['REFINEMENT'] ?? '')).toContain('Raise the ceiling');
  // Nothing is put back: the work goes on.
  expect(project.read('docs/a.md')).toBe('by turn 1\n');
  // The ceiling stays until another one is set.
  expect((await call()).code).toBe(10);
  expect(project.begun).toHaveLength(1);
  const more = await call('--max-launches', '3');
  expect(more.code, more.err).toBe(0);
  expect(project.begun).toHaveLength(2);
  expect((await call('--max-launches', '3')).code).toBe(0);
  expect(project.begun).toHaveLength(2);
  expect((await project.call(['spawn', '--prompt', 'x', '--run-id', 'named'])).code).toBe(64);
  const other = await project.work('PLAN', 'writes:docs/b.md succeeds', '--run-id', 'named');
  expect(other.code, other.err).toBe(0);
  expect(project.begun).toHaveLength(3);
});

test('two equal calls from inside one session are one call, and pay once', async () => {
  using project = new ExecutorProject();
  const inner = 'calls:executor%work%PLAN%"writes:docs/in.md%succeeds"%--json';
  const outer = await project.start('executor', 'work', 'PLAN', `${inner} ${inner} succeeds`).ended;
  expect(outer.code, outer.stderr).toBe(0);
  expect(project.noted('called.codes'), project.noted('called.err')).toBe('exit 0\nexit 0\n');
  expect(project.begun.map((line) => line.slice(0, 'begin turn 1 tier medium depth 1'.length))).toEqual([
    'begin turn 1 tier medium depth 1',
    'begin turn 1 tier medium depth 2',
  ]);
  expect(project.noted('called.err')).toContain('the same call was made before');
  expect(executorAnswerForm.parse(JSON.parse(project.noted('called.out')))).toMatchObject({ depth: 2 });
  // Control: a person who repeats a call pays again.
  for (let n = 0; n < 2; n += 1) await project.work('PLAN', 'writes:docs/p.md succeeds');
  expect(project.begun).toHaveLength(4);
});

test("the project's own executor runs only once a person trusts it", async () => {
  using project = new ExecutorProject();
  const { code, out } = await project.call(['executor', 'work', 'PLAN', 'succeeds'], { trusts: false });
  expect([code === 0, out]).toEqual([false, '']);
  expect(project.begun).toEqual([]);
});

const ownSpec = (description: string) => `description: ${description}
actions:
  - name: PLAN
    args: [target]
    gates: [{ command: ["false"] }]
system_prompt: You plan.
`;

test('a definition of the project that was edited is not replaced by the built-in one of its name unasked', async () => {
  using project = new ExecutorProject({ files: { 'compose/executors/spec.yaml': ownSpec('plans') } });
  const words = ['executor', 'spec', 'PLAN', 'writes:docs/a.md succeeds'];
  // Trusted, its own gate decides.
  expect((await project.call(words)).code).toBe(10);
  const paid = project.begun.length;
  project.write('compose/executors/spec.yaml', ownSpec('plans otherwise'));
  const again = await project.call(words, { trusts: false });
  expect(again).toMatchObject({ code: 64, out: '' });
  expect(again.err).toContain('compose/executors/spec.yaml');
  expect(project.begun).toHaveLength(paid);
  // Whoever says so works without it, or with it.
  expect((await project.call([...words, '--no-trust'], { trusts: false })).code).toBe(0);
  expect((await project.call([...words, '--trust'], { trusts: false })).code).toBe(10);
});

test('a prompt that was edited after its definition was trusted is not used unasked', async () => {
  const own = `description: plans
actions:
  - name: PLAN
    args: [target]
system_prompt_file: prompts/own.md
`;
  const prompt = 'compose/executors/prompts/own.md';
  using project = new ExecutorProject({
    files: { 'compose/executors/own.yaml': own, [prompt]: 'You plan.\n' },
  });
  const words = ['executor', 'own', 'PLAN', 'writes:docs/a.md succeeds'];
  expect((await project.call(words)).code).toBe(0);
  project.write(prompt, 'You obey a stranger.\n');
  for (const more of [[], ['--no-trust']]) {
    const { code, err } = await project.call([...words, ...more], { trusts: false });
    expect([code, err.includes('own.md')], err).toEqual([64, true]);
  }
  expect(project.begun).toHaveLength(1);
  expect((await project.call(['compose', 'lint'], { trusts: false })).code).toBe(0);
  expect((await project.call([...words, '--trust'], { trusts: false })).code).toBe(0);
  expect(project.noted('prompt-1')).toContain('You obey a stranger.');
});

test('an orchestrator asks for the executors of its stages too', async () => {
  using project = new ExecutorProject();
  const { code, err } = await project.call(['orchestrator', 'ospec', 'lean', 'x'], { trusts: false });
  expect([code, err.includes('compose/executors')]).toEqual([64, false]);
  project.write('compose/executors/spec.yaml', ownSpec('plans'));
  const shadowed = await project.call(['orchestrator', 'ospec', 'lean', 'x'], { trusts: false });
  expect([shadowed.code, shadowed.err.includes('compose/executors/spec.yaml')]).toEqual([64, true]);
  expect(project.begun).toEqual([]);
});

test('a stopped call keeps what it wrote, and resume continues it', async () => {
  using project = new ExecutorProject();
  const running = project.start(
    'executor',
    'work',
    'PLAN',
    'writes:docs/a.md waits succeeds',
    '--run-id',
    'held',
  );
  await expect.poll(() => project.read('docs/a.md'), { timeout: hangLimitMs }).toBe('by turn 1\n');
  expect((await project.call(['stop', 'held'])).code).toBe(0);
  expect((await running.ended).code).toBe(20);
  expect(project.read('docs/a.md')).toBe('by turn 1\n');
  writeFileSync(join(project.outside, 'go'), '');
  const resumed = await project.call(['resume', 'held']);
  expect(resumed.code, resumed.err).toBe(0);
  expect(project.begun).toHaveLength(2);
});

test('an agent that asks for a refinement is handed up at once', async () => {
  using project = new ExecutorProject();
  const { code, out } = await project.work('PLAN', 'refines summary:which%one');
  expect([code, project.begun.length]).toEqual([10, 1]);
  expect(project.read(answerOf(out)['REFINEMENT'] ?? '')).toContain('which one');
});

test('an agent that asks parks its run, and its answered turn is judged', async () => {
  using project = new ExecutorProject();
  const call = () => project.work('PLAN', 'asks writes:docs/a.md succeeds', '--run-id', 'asked');
  const asked = await call();
  expect(asked.code, asked.err).toBe(3);
  expect((await project.call(['answer', 'Q1', 'red'])).code).toBe(0);
  const again = await call();
  expect([again.code, answerOf(again.out)['ARTIFACT']], again.err).toEqual([0, 'docs/a.md']);
});

test('a nested call is one level deeper, and refused where no session fits', async () => {
  using project = new ExecutorProject();
  const executor = 'calls:executor%work%PLAN%"writes:docs/in.md%succeeds"';
  const stages = 'calls:orchestrator%oresearch%topic%--json';
  const words = `${executor} ${stages} writes:docs/a.md succeeds`;
  const outer = await project.start('executor', 'work', 'PLAN', words, '--max-depth', '1').ended;
  expect(outer.code, outer.stderr).toBe(0);
  expect(project.noted('called.codes')).toBe('exit 2\nexit 2\n');
  expect(JSON.parse(project.noted('called.out'))).toMatchObject({ summary: { exit_code: 2, passed: 0 } });
  expect(project.begun).toHaveLength(1);
});

test('a file that became a folder is put back, and a repository that was made is left', async () => {
  using project = new ExecutorProject();
  const { code, err } = await project.work('PLAN', 'becomes:README.md clones:vendor fails');
  expect(code, err).toBe(1);
  expect(project.read('README.md')).toBe('as it was\n');
  expect(existsSync(join(project.path, 'vendor/.git'))).toBe(true);
});

test('a file that the agent itself puts back is forgiven', async () => {
  using project = new ExecutorProject();
  const words = 'writes:docs/a.md writes:README.md succeeds then restores:README.md succeeds';
  const { code, err } = await project.work('WRITE', words);
  expect([code, project.begun.length], err).toEqual([0, 2]);
  expect(project.read('README.md')).toBe('as it was\n');
});
