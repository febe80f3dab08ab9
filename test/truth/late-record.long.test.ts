import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { until } from '../e2e/project.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const waits = ['sh', '-c', 'echo begun >> ledger; until [ -e go ]; do sleep 0.05; done'];

test('a command whose end is recorded by a later process ended when its launcher says', {
  timeout: 120_000,
}, async () => {
  using folder = tempFolder();
  const { path } = folder;
  writeProject(path, { 'flow.yaml': { steps: [{ id: 'x', command: waits }] } });
  const first = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  const tasks = join(path, '.tutti', 'runs', 'r', 'tasks');
  await until('the command runs', () => readdirSync(path).includes('ledger'));
  first.child.kill('SIGKILL');
  await first.ended;
  writeFileSync(join(path, 'go'), '');
  const exit = (): string | undefined => readdirSync(tasks).find((name) => name.endsWith('.exit'));
  await until('its end is recorded', () => exit() !== undefined);
  const endedAt = Math.floor(statSync(join(tasks, exit() ?? '')).mtimeMs);
  const again = await startTutti(path, ['resume', 'r']).ended;
  expect(again.code, again.stderr).toBe(0);
  const { stdout } = await startTutti(path, ['status', 'r', '--json']).ended;
  expect(JSON.parse(stdout)).toMatchObject({
    steps: [{ id: 'x', ended_at: new Date(endedAt).toISOString() }],
  });
  using database = new DatabaseSync(join(path, '.tutti', 'tutti.db'), { readOnly: true });
  const row = database.prepare(`select opened_at, body from entries where kind = 'task'`).get();
  const { durationMs } = JSON.parse(String(row?.['body'])) as { readonly durationMs: number };
  expect(durationMs).toBeLessThanOrEqual(endedAt - Number(row?.['opened_at']));
});
