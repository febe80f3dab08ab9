import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject } from '../../src/lib/json.ts';
import { until } from '../e2e/project.ts';
import { mountingMissing } from '../faults/small-disk.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { BrokenProject } from './broken-project.ts';

const missing = mountingMissing();

/** How its sessions ended, as a program is told, by step. */
async function endsOf(project: BrokenProject): Promise<ReadonlyMap<string, object>> {
  const { stdout } = await project.tutti('session', 'list', '--all', '--json');
  const rows = stdout.trim().split('\n').map(parse);
  return new Map(
    rows.map(({ step, status, exit_code, completed_at }) => [
      String(step).split('@')[0] ?? '',
      { status, exit_code, completed_at },
    ]),
  );
}

function parse(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`no object: ${text}`);
  return value;
}

/** A run whose first agent failed by itself on a full disk, and whose second one works when a person stops the run. */
async function stopAfterFailure(project: BrokenProject) {
  await project.begin('foreground');
  await project.break('disk full');
  writeFileSync(join(project.path, 'fail-one'), '');
  // The command cannot record the failure; agents go on without it.
  expect((await project.command.ended).code).toBe(69);
  const before = (await endsOf(project)).get('one');
  const stopped = await project.tutti('stop', 'r', '--json');
  expect(stopped.code, stopped.stderr).toBe(0);
  await until('every process is gone', () => project.alive().length === 0);
  return { before, stopped: parse(stopped.stdout) };
}

test('a session that failed on a full disk before the stop keeps its own end, also when that is recorded later', {
  timeout: 300_000,
}, async (context) => {
  context.skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using project = new BrokenProject(realpathSync(folder.path), 'run');
  const { before, stopped } = await stopAfterFailure(project);
  expect(before).toMatchObject({ status: 'FAILED', exit_code: 3 });
  const ends = await endsOf(project);
  expect(ends.get('one')).toEqual(before);
  expect(ends.get('two')).toMatchObject({ status: 'KILLED', exit_code: null });
  const told = [
    { step: 'one', killed: false, exit_code: 3, ended_at: Object(before).completed_at },
    { step: 'two', killed: true, exit_code: null, ended_at: Object(ends.get('two')).completed_at },
  ];
  expect(stopped).toMatchObject({ stopped: [{ run_id: 'r', unrecorded_ends: told }] });
  const status = parse((await project.tutti('status', 'r', '--json')).stdout);
  expect(status).toMatchObject({
    state: 'stopped',
    ended_at: null,
    unrecorded: { what: 'stop', ends: told },
  });
  project.heal();
  expect((await project.tutti('session', 'watchdog')).code).toBe(0);
  expect(project.recorded()).toBe('ended INTERRUPTED');
  expect(await endsOf(project)).toEqual(ends);
  // The run and its steps ended with what worked for them, not when that was recorded.
  expect(parse((await project.tutti('status', 'r', '--json')).stdout)).toMatchObject({
    unrecorded: null,
    ended_at: told[1]?.ended_at,
    steps: [
      { id: 'one', state: 'failed', outcome: 'FAILURE', ended_at: told[0]?.ended_at },
      { id: 'two', outcome: 'INTERRUPTED', ended_at: told[1]?.ended_at },
      { id: 'three' },
      { id: 'four' },
    ],
  });
});

test('control: an end that is kept nowhere is taken for that of the stop', {
  timeout: 300_000,
}, async (context) => {
  context.skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using project = new BrokenProject(realpathSync(folder.path), 'run');
  await stopAfterFailure(project);
  const { stdout } = await project.tutti('session', 'list', '--all', '--json');
  const failed = stdout.split('\n').find((line) => line.includes('"FAILED"'));
  const id = String(parse(failed ?? '{}')['session_id']);
  rmSync(join(project.path, '.tutti', 'sessions', id, 'exit.kept'));
  writeFileSync(join(project.path, '.tutti', 'sessions', id, 'ending'), '');
  expect((await endsOf(project)).get('one')).toMatchObject({ status: 'KILLED' });
});
