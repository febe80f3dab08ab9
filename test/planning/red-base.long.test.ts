import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planStatus } from '../../src/app/plans/agent-led/plan-status.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { painter } from '../../src/cli/render/style.ts';
import { questionLines } from '../../src/cli/render/question-lines.ts';
import { git } from '../workspaces/rig.ts';
import { PlannerProject } from './project.ts';

/** A Node project in git whose tests need a dependency: its ignored `node_modules` is there, and no lock file. */
function nodeProject(folder: string): void {
  const target = join(folder, 'target');
  mkdirSync(join(target, 'node_modules', 'is-odd'), { recursive: true });
  writeFileSync(join(target, 'node_modules', 'is-odd', 'index.js'), 'export default (n) => n % 2 === 1;\n');
  writeFileSync(
    join(target, 'node_modules', 'is-odd', 'package.json'),
    '{"type": "module", "main": "index.js"}',
  );
  const manifest = {
    type: 'module',
    scripts: { test: 'node --test' },
    dependencies: { 'is-odd': 'file:../odd' },
  };
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(target, 'odd.test.js'), "import 'is-odd';\n");
  writeFileSync(join(target, '.gitignore'), 'node_modules\n');
  git(target, 'init', '-q');
  git(target, 'add', '-A');
  git(target, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'base');
}

test('the question about a red base says what went wrong, where the log is, and that no lock file was found', async () => {
  using project = new PlannerProject(nodeProject);
  expect(await project.plan({ projectType: null, stack: null })).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  const [asked] = await project.questions();
  if (asked === undefined) throw new Error('nothing is asked');
  expect(asked.question.text).toContain(
    'A workspace has only committed files, and no dependencies were installed in it, because the project has no lock file: ' +
      'commit one, or write `workspace: { setup: [[npm, install]] }` to tutti.yaml.',
  );
  const params = { now: asked.askedAt, columns: 1000, paint: painter(false), withRun: false };
  const lines = questionLines(asked, params);
  expect(lines.join('\n')).toContain("Cannot find package 'is-odd'");
  const log = lines.map((line) => /^ +log: (\/.*)$/.exec(line)?.[1]).find((path) => path !== undefined);
  expect(existsSync(log ?? '')).toBe(true);
});

test('while an answer to the question about a red base has no effect yet, ingestion is not done', async () => {
  using project = new PlannerProject(nodeProject);
  await project.plan({ projectType: null, stack: null });
  const ingestion = async () =>
    (await runStatus(project.tutti, outlinesByName, 'numerals-plan'))?.steps.find(
      ({ id }) => id === 'ingestion',
    );
  expect(await ingestion()).toMatchObject({ state: 'waiting' });
  const [asked] = await project.questions();
  if (asked === undefined) throw new Error('nothing is asked');
  await project.tutti.store.answer(asked.runId, asked.key, { text: 'again', by: 'ann', at: 7 });
  expect(await ingestion()).toMatchObject({ state: 'queued' });
  expect((await planStatus(project.tutti, await project.record)).isUndriven).toBe(true);
  await project.advance();
  expect(await ingestion()).toMatchObject({ state: 'waiting' });
  await project.answer('without');
  expect(await ingestion()).toMatchObject({ state: 'done' });
});

/** A project in git whose test passes once `fixed` is there, which no commit contains. */
function redProject(folder: string): void {
  const target = join(folder, 'target');
  const manifest = { type: 'module', scripts: { test: `test -f ${join(folder, 'fixed')}` } };
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
  git(target, 'init', '-q');
  commitAll(target);
}

function commitAll(target: string): void {
  git(target, 'add', '-A');
  git(target, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'base');
}

const again = { projectType: null, stack: null };

test('a command that a person chose to continue without is not asked about when the plan is planned again', async () => {
  using project = new PlannerProject(redProject);
  await project.plan(again);
  await project.answer('without');
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  await project.plan(again);
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  // On another base too, as long as it fails there.
  writeFileSync(join(project.path, 'target', 'notes.txt'), 'more\n');
  commitAll(join(project.path, 'target'));
  await project.plan(again);
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  expect((await project.record).base?.without).toEqual(['npm test']);
});

test('a base that passed when its commands were run again is not asked about when the plan is planned again', async () => {
  using project = new PlannerProject(redProject);
  await project.plan(again);
  writeFileSync(join(project.path, 'fixed'), '');
  await project.answer('again');
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  await project.plan(again);
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  expect((await project.record).base?.without).toEqual([]);
});

test('a person who stopped planning for a red base is asked again when the plan is planned again', async () => {
  using project = new PlannerProject(redProject);
  await project.plan(again);
  const [first] = await project.questions();
  expect(await project.answer('stop')).toMatchObject({ outcome: 'FAILURE' });
  expect(await project.plan(again)).toMatchObject({ outcome: 'HUMAN_INPUT' });
  const [second] = await project.questions();
  expect(second?.question.step).toBe('ingestion');
  expect(second?.id).not.toBe(first?.id);
});

test('while a plan that no person has approved waits for an answer about its base, its approval is pending', async () => {
  using project = new PlannerProject((folder) => {
    redProject(folder);
    writeFileSync(join(folder, 'fixed'), '');
  });
  const approval = async () => {
    const status = await runStatus(project.tutti, outlinesByName, 'numerals-plan');
    return status?.steps.find(({ id }) => id === 'approval')?.state;
  };
  await project.plan(again);
  expect(await approval()).toBe('waiting');
  rmSync(join(project.path, 'fixed'));
  writeFileSync(join(project.path, 'target', 'notes.txt'), 'more\n');
  commitAll(join(project.path, 'target'));
  await project.plan(again);
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['ingestion']);
  expect(await approval()).toBe('pending');
  writeFileSync(join(project.path, 'fixed'), '');
  await project.answer('again');
  expect(await approval()).toBe('waiting');
  await project.answer('approve');
  expect(await approval()).toBe('done');
});
