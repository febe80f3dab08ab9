import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../../src/lib/json.ts';
import { planStatusForm } from '../../src/model/schemas/plan-output.ts';
import { planBundleForm } from '../../src/model/schemas/plan-bundle.ts';
import { planResultForm } from '../../src/model/schemas/plan-result.ts';
import { call } from '../agent-led/caller.ts';
import { AgentLedProject } from '../agent-led/project.ts';
import { textOf } from '../plans/good-plan.ts';
import { personProgram } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { repository } from '../rig/repository.ts';
import { trustProject } from '../rig/trust.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, encoding: 'utf8', timeout: 600_000 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out, err });
    });
  });
}

/** What a model would have written, as files for the scripted agent. */
function drafts(project: AgentLedProject, folder: string): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('capability-map.json', textOf(project.plan.capabilityMap));
  write('physical-map.json', textOf(project.plan.physicalMap));
  for (const task of project.plan.tasks) {
    write(`tasks/${task.id}.json`, textOf(task));
    for (const [path, text] of project.code(task.id)) write(`code/${task.id}/${path}`, text);
  }
  for (const [path] of project.code('T003')) write(`wrong/T003/${path}`, 'throw new Error("not yet");\n');
}

test('a scripted agent that calls only the state commands conducts a plan from its specification to the end', {
  timeout: 900_000,
}, async () => {
  using project = new AgentLedProject({ tasks: 5 });
  const bin = join(project.home, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'tutti'),
    // The plan is approved by a person; the rest is the agent's.
    `#!/bin/sh
program="${installedTutti()}"
[ "$2" = approve ] && program="${personProgram}"
exec "${process.execPath}" "$program" "$@"
`,
  );
  chmodSync(join(bin, 'tutti'), 0o755);
  const folder = join(project.home, 'drafts');
  drafts(project, folder);
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: project.home,
  };
  const args = [repository('test/agent-led/agent.sh'), '../spec.md', project.path, folder];
  trustProject(project.path, env);
  const story = await run('/bin/sh', args, project.path, env);
  expect(story.err).toBe(`plan story is made\n  → tutti plan advance\n`);
  expect(story).toMatchObject({ code: 0, out: expect.stringContaining('→ nothing is left to do') });
  expect(story.out).toContain('T003: not done: it did not pass');

  const dir = join(project.path, '.tutti/plans/story');
  const read = (path: string): string => readFileSync(join(dir, path), 'utf8');
  const status = await call(project, ['plan', 'status', '--json']);
  expect(planStatusForm.parse(JSON.parse(status.out))).toMatchObject({
    phase: 'complete',
    tasks: { total: 5, done: 5 },
    tokens: { input: 5000, output: 1000 },
    checkpoint: null,
    next: null,
  });
  expect(read('inputs/spec.md')).toBe(project.plan.spec);
  for (const { id } of project.plan.tasks) {
    expect(planBundleForm.parse(JSON.parse(read(`bundles/${id}-bundle.json`))).task_id).toBe(id);
    expect(planResultForm.parse(JSON.parse(read(`bundles/${id}-result.json`))).verification.verdict).toBe(
      'PASS',
    );
  }
  expect(read('reports/task-validation-report.md')).toContain('READY');
  expect(recorded<{ phase: string }>(JSON.parse(read('state.json'))).phase).toBe('complete');
  expect(existsSync(join(dir, 'checkpoint.json'))).toBe(false);
  expect(read('activity.log')).toContain('[orchestrator] phase-transition: moving to logical');
  expect(read('activity.log')).toMatch(/task-rejected: T003/);
  expect(readdirSync(dir)).not.toContain('STOP');

  // What was built is there, and its own tests pass.
  const own = await run(process.execPath, ['--test'], project.path, env);
  expect(own.code).toBe(0);
});
