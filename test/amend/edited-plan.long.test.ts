import { expect, test } from 'vitest';
import { reopenEntries } from '../../src/app/runs/run-holder.ts';
import { AmendProject, agentStep, commandStep, runId, type Step } from './project.ts';
import { allIds, edited, twentySteps } from './twenty-steps.ts';

const nothing = { outcome: 'SUCCESS', ran: [], sessions: 0 };

/** Many processes, and another test's beside them. */
const slow = { timeout: 300_000 };

async function finished(): Promise<AmendProject> {
  const project = new AmendProject();
  expect(await project.play(twentySteps)).toEqual({ outcome: 'SUCCESS', ran: allIds, sessions: 10 });
  return project;
}

test('an edited prompt runs its step and what depends on its result, and nothing else', slow, async () => {
  using project = await finished();
  const prompt = 'Think about part 2 again.\nSAY better-2';
  const played = await project.play(edited({ 'ask-2': { prompt } }));
  process.stdout.write(
    `amend: ${allIds.length} steps, one prompt edited: ${played.ran.length} run, ${played.sessions} sessions\n`,
  );
  // `sum` needs join-12, which shows chain 2; it says the same as before, so `check` behind it is not run.
  const ran = ['ask-2', 'build-2', 'join-12', 'show-2', 'sum', 'test-2'];
  expect(played).toEqual({ outcome: 'SUCCESS', ran, sessions: 3 });
  expect(project.read('out/build-2.txt')).toBe('build-2+better-2\n');
  expect(await project.play(edited({ 'ask-2': { prompt } }))).toEqual(nothing);
});

test('dependents of an edited step whose result stayed the same are not run', slow, async () => {
  using project = await finished();
  const prompt = 'Think about part 3, in other words.\nSAY idea-3';
  expect(await project.play(edited({ 'ask-3': { prompt } }))).toEqual({
    outcome: 'SUCCESS',
    ran: ['ask-3'],
    sessions: 1,
  });
});

test('running the same file again runs nothing', slow, async () => {
  using project = await finished();
  expect(await project.play(twentySteps)).toEqual(nothing);
});

test('an edit that is taken back runs nothing: the first results are still there', slow, async () => {
  using project = await finished();
  await project.play(edited({ 'ask-1': { prompt: 'SAY other' } }));
  const back = await project.play(twentySteps);
  expect(back).toEqual(nothing);
  expect(await project.play(twentySteps)).toEqual(nothing);
});

test('an inserted step runs alone, and so does what is made to need it', slow, async () => {
  using project = await finished();
  const extra = agentStep('extra', ['show-1'], 'SAY extra');
  expect(await project.play([...twentySteps, extra])).toEqual({
    outcome: 'SUCCESS',
    ran: ['extra'],
    sessions: 1,
  });
  const needing = edited({ check: { needs: ['sum', 'extra'] } });
  expect(await project.play([...needing, extra])).toEqual({
    outcome: 'SUCCESS',
    ran: ['check'],
    sessions: 0,
  });
});

test('a removed step takes nothing with it but what needed it', slow, async () => {
  using project = await finished();
  const without = twentySteps.filter(({ id }) => id !== 'check');
  expect(await project.play(without)).toEqual(nothing);
  const rest = edited({ sum: { needs: ['join-12'] } }, without).filter(({ id }) => id !== 'join-34');
  expect(await project.play(rest)).toEqual({ outcome: 'SUCCESS', ran: ['sum'], sessions: 1 });
  using tutti = project.open();
  expect((await tutti.queries.run(runId))?.state).toMatchObject({ at: 'ended', outcome: 'SUCCESS' });
});

test('an edited input file runs the step that declares it', slow, async () => {
  using project = new AmendProject();
  const steps = [
    commandStep('reads', [], 'cat data/*.txt', { inputs: ['data/*.txt'] }),
    commandStep('after', ['reads'], 'true'),
    commandStep('apart', [], 'true'),
  ];
  project.write('data/a.txt', 'a');
  expect(await project.play(steps)).toMatchObject({ outcome: 'SUCCESS', ran: ['after', 'apart', 'reads'] });
  expect(await project.play(steps)).toEqual(nothing);
  project.write('data/a.txt', 'changed');
  expect(await project.play(steps)).toMatchObject({ outcome: 'SUCCESS', ran: ['after', 'reads'] });
  project.write('data/b.txt', '');
  expect(await project.play(steps)).toMatchObject({ outcome: 'SUCCESS', ran: ['reads'] });
});

test('the ledger can fail: a run that forgot its results would show every step in it', slow, async () => {
  using project = await finished();
  using tutti = project.open();
  await project.submit(tutti, twentySteps);
  await reopenEntries(tutti, runId, () => true);
  expect(await project.advance(tutti)).toEqual({ outcome: 'SUCCESS', ran: allIds, sessions: 10 });
});

test('a changed agent file reaches a started run only when that is asked for', slow, async () => {
  using project = new AmendProject();
  const steps: readonly Step[] = [agentStep('one', [], 'SAY one'), commandStep('two', ['one'], 'true')];
  {
    using tutti = project.open();
    await project.submit(tutti, steps);
    project.write('agents/teller.md', 'ROLE second\n');
    expect(await project.advance(tutti)).toMatchObject({ outcome: 'SUCCESS', ran: ['one', 'two'] });
  }
  expect(project.read('out/one.role')).toBe('first\n');
  // Not even when the run is amended: a turn that was paid for is not paid again because its agent was reworded.
  const more = [...steps, agentStep('three', [], 'SAY three')];
  expect(await project.play(more)).toEqual({ outcome: 'SUCCESS', ran: ['three'], sessions: 1 });
  expect(project.read('out/three.role')).toBe('first\n');
  expect(await project.play(more, { refresh: true })).toEqual({
    outcome: 'SUCCESS',
    ran: ['one', 'three'],
    sessions: 2,
  });
  expect(project.read('out/one.role')).toBe('second\n');
});
