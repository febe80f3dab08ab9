import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { identify, isAlive, type ProcessIdentity } from '../../src/lib/process/identity.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { AmendProject, commandStep, type Played, runId, type Step } from './project.ts';

const slow = { timeout: 300_000 };

/** The process of a step, once it has told its pid. */
async function processOf(project: AmendProject, step: string): Promise<ProcessIdentity> {
  for (;;) {
    const found = existsSync(join(project.path, `out/${step}.pid`)) ? project.read(`out/${step}.pid`) : '';
    const process = found.endsWith('\n') ? identify(Number(found)) : null;
    if (process !== null) return process;
    await pause(10);
  }
}

/** Runs until the project has a file of that name, and tells its pid. */
function held(id: string, release: string): Step {
  return commandStep(
    id,
    [],
    `echo $$ > out/${id}.pid; until [ -f ${release} ]; do sleep 0.02; done; echo ${id} >> ended`,
  );
}

/** Advances the run as the conductor does, which takes up what a command changes. */
async function conducting(project: AmendProject, tutti: Tutti): Promise<Played> {
  const facts = { me: tutti.me, monotonic: tutti.clock.monotonic(), gone: [] };
  if ((await tutti.store.takeConductor(facts, 600_000)).at !== 'taken')
    throw new Error('there is a conductor');
  return project.advance(tutti);
}

test('a step that left the plan is ended with its process; one that stayed is kept', slow, async () => {
  using project = new AmendProject();
  const kept = held('kept', 'go');
  {
    using tutti = project.open();
    await project.submit(tutti, [kept, held('removed', 'never')]);
    const advancing = conducting(project, tutti);
    const staying = await processOf(project, 'kept');
    const leaving = await processOf(project, 'removed');
    {
      // The operator's second terminal: another handle on the same project.
      using other = project.open();
      const amended = [kept, commandStep('added', ['kept'], 'true')];
      expect(await project.submit(other, amended)).toBe('amended');
    }
    while (isAlive(leaving)) {
      await pause(20);
    }
    expect(isAlive(staying)).toBe(true);
    project.write('go', '');
    expect(await advancing).toEqual({ outcome: 'SUCCESS', ran: ['added', 'kept', 'removed'], sessions: 0 });
    expect((await tutti.queries.entries(runId)).find(({ key }) => key.startsWith('removed@'))?.state).toEqual(
      {
        at: 'dropped',
      },
    );
  }
  expect(project.read('ended')).toBe('kept\n');
});

test('a step that was edited while it ran is ended and run once in its new form', slow, async () => {
  using project = new AmendProject();
  using tutti = project.open();
  await project.submit(tutti, [held('step', 'never')]);
  const advancing = conducting(project, tutti);
  const former = await processOf(project, 'step');
  {
    using other = project.open();
    await project.submit(other, [commandStep('step', [], 'echo new > out/new')]);
  }
  expect(await advancing).toEqual({ outcome: 'SUCCESS', ran: ['step', 'step'], sessions: 0 });
  expect(isAlive(former)).toBe(false);
  expect(project.read('out/new')).toBe('new\n');
});
