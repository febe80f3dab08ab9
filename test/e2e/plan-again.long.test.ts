import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PayProject } from '../pay/project.ts';
import { chainedPlanner } from '../replanning/played-planner.ts';

const size = 20;

/** Twenty tasks by agents that are programs: they write what they are asked for, and note each turn. */
class Twenty implements Disposable {
  readonly #project = new PayProject(undefined, 2, { specification, planner: chainedPlanner });
  #seen = 0;

  edit(name: string, from: string, to: string): void {
    this.#project.edit(name, from, to);
  }

  /** Turns that began since the last time, sorted, and the sessions there are. */
  async tutti(
    ...args: readonly string[]
  ): Promise<{ code: number | null; ran: readonly string[]; err: string }> {
    const { code, stderr } = await this.#project.run(...args);
    const begun = this.#project.turns();
    const ran = begun.slice(this.#seen).toSorted();
    this.#seen = begun.length;
    // The agents' own notes and Tutti's sessions tell the same story.
    expect(readdirSync(join(this.#project.path, '.tutti', 'sessions')).length).toBe(begun.length);
    return { code, ran, err: stderr };
  }

  [Symbol.dispose](): void {
    this.#project[Symbol.dispose]();
  }
}

const specification = `# Records

A small library. Nothing here is in a hurry.

${Array.from({ length: size }, (_, index) => `- B${index + 1} keep${index + 1}: keeps record ${index + 1}`).join('\n')}
`;

test('after an edit only what depends on it runs again: a task, a sentence, and nothing', {
  timeout: 300_000,
}, async () => {
  using twenty = new Twenty();
  const all = ['--parallel', '4'];
  const first = await twenty.tutti('build', 'records.md', '--new', '--yes', ...all);
  expect([first.code, first.ran.length], first.err).toEqual([0, 5 + 2 * size]);

  // A sentence that no task is made of: one agent looks, and nothing else happens.
  twenty.edit('records.md', 'Nothing here is in a hurry.', 'Nothing in it is in a hurry.');
  const prose = await twenty.tutti('plan', 'records.md', '--yes');
  expect(prose).toMatchObject({ code: 0, ran: ['logical'] });
  expect(prose.err).toContain('the specification changed');
  expect(await twenty.tutti('execute')).toMatchObject({ code: 0, ran: [] });

  // A sentence that one task is made of: the phases of planning, and that task.
  twenty.edit('records.md', 'B13 keep13: keeps record 13', 'B13 keep13: keeps the thirteenth record');
  const planned = await twenty.tutti('plan', 'records.md', '--yes');
  expect(planned.code, planned.err).toBe(0);
  expect(planned.ran).toEqual(['definition', 'logical', 'physical', 'validation']);
  const executed = await twenty.tutti('execute');
  expect(executed.code, executed.err).toBe(0);
  expect(executed.ran).toEqual(['T013', 'T013/verify']);

  // One task by hand, in a way that changes what it makes: it, and the one that stands on it. That one makes
  // what it made before, so what stands on it in turn has nothing new to stand on.
  const task = '.tutti/plans/records/tasks/T008.json';
  twenty.edit(task, '"name": "keep8"', '"name": "keep eight"');
  const unapproved = await twenty.tutti('execute');
  expect(unapproved).toMatchObject({ code: 1, ran: [] });
  expect(unapproved.err).toContain('its task files are not what was approved: changed T008');
  expect(unapproved.err).toContain('tutti plan --plan records');
  expect(await twenty.tutti('plan', '--plan', 'records', '--yes')).toMatchObject({
    code: 0,
    ran: ['validation'],
  });
  const edited = await twenty.tutti('execute', ...all);
  expect(edited.code, edited.err).toBe(0);
  expect(edited.ran).toEqual(['T008', 'T008/verify', 'T009', 'T009/verify']);

  // In a way that changes nothing of what it makes: it alone.
  twenty.edit(task, 'pass without a failure', 'pass with no failure at all');
  expect((await twenty.tutti('plan', '--plan', 'records', '--yes')).ran).toEqual(['validation']);
  expect((await twenty.tutti('execute')).ran).toEqual(['T008', 'T008/verify']);
  expect((await twenty.tutti('execute')).ran).toEqual([]);
});
