import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPlan } from '../../src/app/plans/find-plan.ts';
import type { OperationCall } from '../../src/app/host/operation-call.ts';
import { planVerdictBegin, planVerdictCheck } from '../../src/app/plans/planning/plan-verdict.ts';
import { advancePlan } from '../../src/app/plans/agent-led/advance-plan.ts';
import { checkArtifact } from '../../src/app/plans/agent-led/check-artifact.ts';
import { initPlan } from '../../src/app/plans/agent-led/init-plan.ts';
import { registerVerdict } from '../../src/app/plans/agent-led/say-of-plan.ts';
import type { Result } from '../../src/lib/result.ts';
import type { ArtifactName } from '../../src/model/plan/plan-record.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { PlannerProject, specification } from './project.ts';

function kept<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** The same plan, conducted with the state commands as far as is asked for; its files are those of another planning. */
async function conduct(
  project: PlannerProject,
  from: PlannerProject,
  until: 'definition' | 'ready',
  by = 'user:ann',
): Promise<void> {
  const { tutti } = project;
  const found = async () => kept(await findPlan(tutti, 'numerals'));
  const check = async (name: ArtifactName) => kept(await checkArtifact(tutti, await found(), name));
  const advance = async () => kept(await advancePlan(tutti, await found()));
  kept(
    await initPlan(tutti, {
      name: 'numerals',
      targetDir: join(project.path, 'target'),
      projectType: 'new',
      stack: 'plain JavaScript',
      spec: specification,
    }),
  );
  for (const folder of ['artifacts', 'tasks']) {
    cpSync(join(from.paths.dir, folder), join(project.paths.dir, folder), { recursive: true });
  }
  await advance();
  await check('capability_map');
  await advance();
  await check('physical_map');
  await advance();
  if (until === 'definition') return;
  await check('tasks');
  await advance();
  const verdict = { verdict: 'READY', summary: 'by hand', issues: [], by } as const;
  kept(await registerVerdict(tutti, await found(), verdict));
  await advance();
  await advance();
}

test('a plan conducted by hand is taken up where it stands: what passed is not made again', async () => {
  using from = new PlannerProject();
  await from.plan({ yes: true });
  using project = new PlannerProject();
  await conduct(project, from, 'definition');
  expect((await project.record).phase).toBe('definition');
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toBe('SUCCESS');
  expect(ran).toEqual(['definition', 'validation', 'sequencing']);
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: [] });
  // A map that a person edits afterwards is taken; what was made from it is made again.
  const map = readFileSync(project.paths.capabilityMap, 'utf8');
  writeFileSync(
    project.paths.capabilityMap,
    map.replace('description": "reads', 'description": "quickly reads'),
  );
  const again = await project.plan({ yes: true });
  expect(again).toEqual({ outcome: 'SUCCESS', ran: ['physical', 'definition', 'validation'] });
});

test('one that is ready needs no agent at all, only the word of a person', async () => {
  using from = new PlannerProject();
  await from.plan({ yes: true });
  using project = new PlannerProject();
  await conduct(project, from, 'ready');
  expect((await project.record).phase).toBe('ready');
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect((await project.record).verdict).toMatchObject({
    verdict: 'READY',
    summary: 'by hand',
    by: 'user:ann',
  });
  // Another specification is planned by agents, from the first phase on.
  project.edit('prints a table', 'shows a table');
  const { ran } = await project.plan({ yes: true });
  expect(ran).toEqual(['logical', 'physical', 'definition', 'validation', 'sequencing']);
});

function callOn({
  tutti,
  path,
}: PlannerProject): OperationCall<'plan-verdict-begin'> & OperationCall<'plan-verdict-check'> {
  const parts = Object.assign(tutti, { runOf: async () => null, cutOffAt: async () => null });
  const attempt = {
    runId: 'numerals-plan',
    key: 'validation/begin',
    attempt: 1,
    kind: 'task',
    spec: null,
    sessionId: null,
    deadlineAt: null,
  } as const;
  const { signal } = new AbortController();
  return { parts, attempt, args: { plan: 'numerals' }, workspace: path, how: 'launch', signal };
}

test('a verdict that was registered by the command counts like one in the file', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const call = callOn(project);
  const at = async () => JSON.stringify(await planVerdictCheck(call));
  expect(await at()).toContain('READY it is');
  await planVerdictBegin(call);
  expect((await project.record).verdict).toBeNull();
  expect(await at()).toContain('"at":"missing"');
  const found = kept(await findPlan(project.tutti, 'numerals'));
  const verdict = {
    verdict: 'BLOCKED',
    summary: 'T001 cannot be checked',
    issues: ['T001'],
    by: 'x',
  } as const;
  kept(await registerVerdict(project.tutti, found, verdict));
  expect(await at()).toContain('"verdict":"BLOCKED","summary":"T001 cannot be checked"');
});

test('a verdict of an agent is no independent one: the verifier of Tutti looks before a person is asked', async () => {
  using from = new PlannerProject();
  await from.plan({ yes: true });
  using project = new PlannerProject();
  await conduct(project, from, 'ready', 'session:20250101-000000-coder');
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation'] });
  expect((await project.record).verdict).toMatchObject({ by: 'task-plan-verifier' });
});

test('a folder that was replaced by a link is not written through', async () => {
  using project = new PlannerProject();
  using elsewhere = tempFolder();
  await project.plan({ yes: true });
  writeFileSync(join(elsewhere.path, 'task-validation.json'), 'mine');
  rmSync(join(project.paths.dir, 'reports'), { recursive: true });
  symlinkSync(elsewhere.path, join(project.paths.dir, 'reports'));
  await expect(planVerdictBegin(callOn(project))).rejects.toThrow("is not the plan's own");
  expect(readFileSync(join(elsewhere.path, 'task-validation.json'), 'utf8')).toBe('mine');
});
