import { expect, test } from 'vitest';
import { resumeRun } from '../../src/app/runs/control.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { workflows } from '../../src/app/workflows.ts';
import { AmendProject, agentStep, commandStep, runId, type Played, type Step } from './project.ts';

const slow = { timeout: 300_000 };
const nothing = { outcome: 'SUCCESS', ran: [], sessions: 0 };

/** `tutti resume amended [STEP…]`, then what it did. */
async function resume(project: AmendProject, steps: readonly string[] = []): Promise<Played> {
  using tutti = project.open();
  const resumed = await resumeRun(tutti, runId, steps);
  if (!resumed.ok) return await project.note(tutti, resumed.error.message);
  return await project.advance(tutti);
}

async function wordOf(project: AmendProject, step: string): Promise<string | undefined> {
  using tutti = project.open();
  return (await runStatus(tutti, workflows, runId))?.steps.find(({ id }) => id === step)?.state;
}

const failing: readonly Step[] = [
  agentStep('before', [], 'SAY before'),
  commandStep('fails', ['before'], 'test -f ready'),
  agentStep('behind', ['fails'], 'SAY behind'),
  commandStep('apart', [], 'echo apart'),
];

async function failed(): Promise<AmendProject> {
  const project = new AmendProject();
  const ran = ['apart', 'before', 'fails'];
  expect(await project.play(failing)).toEqual({ outcome: 'FAILURE', ran, sessions: 1 });
  return project;
}

test('a failed step that was mended runs again with what waited for it', slow, async () => {
  using project = await failed();
  const mended = failing.map((step) =>
    step.id === 'fails' ? commandStep('fails', ['before'], 'true') : step,
  );
  expect(await project.play(mended)).toEqual({ outcome: 'SUCCESS', ran: ['behind', 'fails'], sessions: 1 });
  expect(await project.play(mended)).toEqual(nothing);
});

test('running an unchanged file again tries what failed, and nothing else', slow, async () => {
  using project = await failed();
  expect(await project.play(failing)).toEqual({ outcome: 'FAILURE', ran: ['fails'], sessions: 0 });
  project.write('ready', '');
  expect(await project.play(failing)).toEqual({ outcome: 'SUCCESS', ran: ['behind', 'fails'], sessions: 1 });
});

test('resume opens the failed steps again, and nothing else', slow, async () => {
  using project = await failed();
  project.write('ready', '');
  expect(await resume(project)).toEqual({ outcome: 'SUCCESS', ran: ['behind', 'fails'], sessions: 1 });
  expect(await resume(project)).toEqual({
    outcome: `run ${runId} succeeded: there is nothing to resume`,
    ran: [],
    sessions: 0,
  });
});

test(
  'resume with a name runs that step again; what stands on an unchanged result does not',
  slow,
  async () => {
    using project = await failed();
    project.write('ready', '');
    await resume(project);
    expect(await resume(project, ['before'])).toMatchObject({ outcome: 'SUCCESS', ran: ['before'] });
    const refused = await resume(project, ['nowhere']);
    expect(refused).toMatchObject({ outcome: `run ${runId} has no step 'nowhere'`, ran: [] });
  },
);

const gated = (gate: string): readonly Step[] => [
  agentStep('writes', [], 'SAY draft', { gates: [{ command: ['sh', '-c', gate] }], retry: { max: 0 } }),
  commandStep('after', ['writes'], 'true'),
];

test('an edited gate runs again, and the agent behind it is not paid again', slow, async () => {
  using project = new AmendProject();
  const first = gated('echo gate-1 >> ledger; grep -q draft out/writes.txt');
  expect(await project.play(first)).toEqual({
    outcome: 'SUCCESS',
    ran: ['after', 'gate-1', 'writes'],
    sessions: 1,
  });
  const second = gated('echo gate-2 >> ledger; grep -q dra out/writes.txt');
  expect(await project.play(second)).toEqual({ outcome: 'SUCCESS', ran: ['gate-2'], sessions: 0 });
});

test('an edited gate that does not pass fails its step, however often it passed before', slow, async () => {
  using project = new AmendProject();
  const passes = gated('true');
  const fails = gated('echo gate-2 >> ledger; grep -q final out/writes.txt');
  expect(await project.play(passes)).toMatchObject({ outcome: 'SUCCESS', ran: ['after', 'writes'] });
  expect(await project.play(fails)).toEqual({ outcome: 'FAILURE', ran: ['gate-2'], sessions: 0 });
  expect(await wordOf(project, 'writes')).toBe('failed');
  // Back to the gate that passed: everything is known already.
  expect(await project.play(passes)).toEqual(nothing);
  expect(await wordOf(project, 'writes')).toBe('done');
  expect(await project.play(passes)).toEqual(nothing);
});

test('a gate that was wrong is mended without paying the agent again', slow, async () => {
  using project = new AmendProject();
  const wrong = gated('echo gate-1 >> ledger; grep -q darft out/writes.txt');
  expect(await project.play(wrong)).toEqual({ outcome: 'FAILURE', ran: ['gate-1', 'writes'], sessions: 1 });
  const right = gated('echo gate-2 >> ledger; grep -q draft out/writes.txt');
  expect(await project.play(right)).toEqual({ outcome: 'SUCCESS', ran: ['after', 'gate-2'], sessions: 0 });
});

test('a longer time limit lets what ran into the old one run again', slow, async () => {
  using project = new AmendProject();
  const waits = (timeout: string) => [
    commandStep('waits', [], 'test -f ready || sleep 60', { timeout }),
    commandStep('after', ['waits'], 'true'),
  ];
  expect(await project.play(waits('200ms'))).toMatchObject({ outcome: 'TIMEOUT', ran: ['waits'] });
  project.write('ready', '');
  expect(await project.play(waits('30s'))).toMatchObject({ outcome: 'SUCCESS', ran: ['after', 'waits'] });
});
