import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { resumeRun } from '../../src/app/runs/control.ts';
import { stopRun } from '../../src/app/runs/stop-run.ts';
import { stepIdOf } from '../../src/model/key.ts';
import { until } from '../rig/attempt-rig.ts';
import { openTutti } from '../rig/trust.ts';
import { PlannerProject } from './project.ts';

const runId = 'numerals-plan';

test('a stop while the base of a plan is checked is no failure: resume checks it and asks nothing', async () => {
  using project = new PlannerProject((folder) => {
    const wait = `touch '${folder}/waits'; while [ -e '${folder}/slow' ]; do sleep 0.05; done`;
    const config = readFileSync(join(folder, 'tutti.yaml'), 'utf8');
    writeFileSync(
      join(folder, 'tutti.yaml'),
      `${config}${stringify({ workspace: { test_commands: [wait] } })}`,
    );
    writeFileSync(join(folder, 'slow'), '');
    writeFileSync(join(folder, 'target', 'index.js'), '');
    const git = ['-c', 'user.name=ann', '-c', 'user.email=ann@localhost'];
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      [...git, 'commit', '-qm', 'begin'],
    ])
      execFileSync('git', args, { cwd: join(folder, 'target') });
  });
  const { path, tutti } = project;
  const playing = project.plan({ projectType: 'existing', stack: null, yes: true });
  const waits = until('the command waits', () => existsSync(join(path, 'waits')));
  await Promise.race([waits, playing.then(({ outcome }) => Promise.reject(new Error(outcome)))]);
  const opened = openTutti({ folder: path, env: tutti.env, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using other = opened.value;
  expect(await stopRun(other, runId)).toMatchObject({ ok: true, value: { unrecorded: null, left: [] } });
  expect(await playing).toEqual({ outcome: 'INTERRUPTED', ran: [] });
  const steps = (await tutti.queries.entries(runId)).map(({ key, state }) => `${stepIdOf(key)} ${state.at}`);
  expect(steps).toContain('ingestion/base-run dropped');
  rmSync(join(path, 'slow'));
  expect(await resumeRun(tutti, runId, [])).toMatchObject({ ok: true });
  await project.advance();
  expect((await project.questions()).map(({ question }) => question.text)).toEqual([]);
  expect((await tutti.queries.entries(runId)).map(({ key }) => stepIdOf(key))).toContain(
    'ingestion/base-record',
  );
});
