import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { agentStep, AmendProject, runId } from '../amend/project.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { until } from '../rig/attempt-rig.ts';
import { SessionProject } from '../sessions/project.ts';

const slow = { timeout: 300_000 };
const late = '{"status":"success","summary":"late"}';

/** Leaves a process that writes a result when the test says so, long after its turn; `before` is what it does itself. */
const leaving = (before: string): string => `cat >/dev/null
${before}
(setsid sh -c 'until [ -e "$TUTTI_PROJECT/now" ]; do sleep 0.05; done; printf "%s" "$(cat "$TUTTI_PROJECT/late")" > "$TUTTI_RESULT.new"; mv "$TUTTI_RESULT.new" "$TUTTI_RESULT"; : > "$TUTTI_PROJECT/done"' >/dev/null 2>&1 &)
`;

async function writeLate(path: string): Promise<void> {
  writeFileSync(join(path, 'late'), late);
  writeFileSync(join(path, 'now'), '');
  await until('the late result is there', () => existsSync(join(path, 'done')));
}

test.for([
  ['no result', 'true', null],
  [
    'a result',
    `printf '{"status":"failed","summary":"first"}' > "$TUTTI_RESULT"`,
    '{"status":"failed","summary":"first"}',
  ],
] as const)(
  'a late result of the last turn of a session with %s is never presented, and is set aside by the next that may write',
  slow,
  async ([, before, accepted]) => {
    await using project = new SessionProject();
    writeFileSync(join(project.path, 'agent.sh'), leaving(before));
    writeFileSync(join(project.path, 'task.md'), 'Work.');
    const type = (...words: readonly string[]) => cli({ folder: project.path, stdin: '' }, ...words);
    const id =
      /Session created: (\S+)/.exec((await type('session', 'create', 'worker', 'task.md')).out)?.[1] ?? '';
    expect((await type('session', 'wait', id)).code).toBe(1);
    const shown = async () =>
      JSON.parse((await type('session', 'status', id, '--json')).out) as Readonly<Record<string, unknown>>;
    const result = join(project.path, '.tutti', 'sessions', id, 'result.json');
    expect((await shown())['result_file']).toBe(accepted === null ? null : result);
    await writeLate(project.path);
    expect(readFileSync(result, 'utf8')).toBe(late);
    // Commands that only look do not present it, and change nothing.
    expect(await shown()).toMatchObject({ outcome: 'FAILURE', result_file: null });
    expect((await type('report', id)).out).toContain('wrote a result after its turn had ended');
    expect(readFileSync(result, 'utf8')).toBe(late);
    expect((await type('session', 'wait', id)).code).toBe(1);
    expect(project.file(id, 'late-result.json')).toBe(late);
    expect(existsSync(result) ? readFileSync(result, 'utf8') : null).toBe(accepted);
    expect((await shown())['result_file']).toBe(accepted === null ? null : result);
    const tutti = project.open();
    const warned = (await tutti.queries.events(id, 0)).filter(({ event }) => event.type === 'session.warned');
    expect(warned.map(({ event }) => event)).toMatchObject([{ session: id, about: 'late-result' }]);
    expect((await type('report', id)).out).toContain('wrote a result after its turn had ended');
  },
);

test(
  'a late result of the last turn of a step is reported, and set aside when its run is advanced',
  slow,
  async () => {
    using project = new AmendProject();
    project.write('agent.sh', leaving('true'));
    expect(await project.play([agentStep('work', [], 'Work.', { retry: { max: 0 } })])).toMatchObject({
      outcome: 'FAILURE',
    });
    await writeLate(project.path);
    using tutti = project.open();
    const told = async () =>
      (await runStatus(tutti, outlinesByName, runId))?.incidents.filter(({ text }) =>
        text.includes('late-result.json'),
      );
    expect(await told()).toMatchObject([{ step: 'work' }]);
    await advanceRun(tutti, { runId, stay: false });
    const [session] = await tutti.queries.sessions.ofRun(runId);
    const folder = join(project.path, '.tutti', 'sessions', session?.id ?? '');
    expect(readFileSync(join(folder, 'late-result.json'), 'utf8')).toBe(late);
    expect(existsSync(join(folder, 'result.json'))).toBe(false);
    expect(await told()).toMatchObject([{ step: 'work' }]);
  },
);
