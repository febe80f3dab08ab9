import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reopenEntries } from '../runs/run-holder.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { writeProject } from '../../../test/rig/program.ts';
import { advanceRun } from '../runs/advance-run.ts';
import { checkFlow } from '../runs/start-flow.ts';
import type { Tutti } from '../tutti.ts';
import { openTutti, startFlow } from '../../../test/rig/trust.ts';

const success = 'cat > /dev/null; echo \'{"status":"success","summary":"done"}\' > "$TUTTI_RESULT"\n';
const files = {
  'agent.sh': success,
  'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  'flow.yaml': {
    name: 'two',
    steps: [
      { id: 'agent', agent: 'coder', prompt: 'work' },
      { id: 'command', command: ['sh', '-c', 'exit 7'], needs: ['agent'] },
    ],
  },
};

async function ranIn(folder: string): Promise<Tutti> {
  writeProject(folder, files);
  const request = { file: 'flow.yaml', folder, runId: 'r', maxParallel: null };
  const flow = checkFlow(request);
  const opened = openTutti({ folder, env: { PATH: process.env['PATH'] }, create: true });
  if (!flow.ok || !opened.ok) throw new Error('the project is not valid');
  await startFlow(opened.value, flow.value, request);
  await advanceRun(opened.value, { runId: 'r', stay: false });
  return opened.value;
}

test('a run leaves the files that people and agents read, with the names and fields they know', async () => {
  using folder = tempFolder();
  using tutti = await ranIn(folder.path);
  const run = tutti.paths.run('r');
  const read = (name: string) => readFileSync(join(run, name), 'utf8');
  expect(read('.trace')).toMatch(/^[0-9a-f]{16}\n$/);
  expect(read('.session-state')).toContain('total_phases: 2');
  expect(JSON.parse(read('manifest.json'))).toMatchObject({
    orchestrator: 'flow',
    stages: [
      { name: 'agent', status: 'success', exit_code: 0 },
      { name: 'command', status: 'failure', exit_code: 1 },
    ],
    summary: { total: 2, passed: 1, failed: 1, exit_code: 1 },
  });
  expect(read('.signals/exec-agent.done')).toContain('status: "success"');
  expect(existsSync(join(run, '.signals/exec-command.fail'))).toBe(false);
  expect(
    read('.live-report')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Object.keys(JSON.parse(line) as object).slice(0, 4))[0],
  ).toEqual(['timestamp', 'layer', 'stage', 'status']);
  expect(read('execution-report.md')).toContain('exit code 7');
  expect(read('execution-report.md')).toContain('Turns of unknown price: 1');
});

test('views that were damaged or removed are made again from the tables, the same', async () => {
  using folder = tempFolder();
  using tutti = await ranIn(folder.path);
  const run = tutti.paths.run('r');
  const names = ['state.json', 'manifest.json', 'execution-report.md', '.session-state', '.live-report'];
  const before = names.map((name) => readFileSync(join(run, name), 'utf8'));
  for (const name of names) writeFileSync(join(run, name), '\0garbage');
  rmSync(join(run, '.signals'), { recursive: true });
  expect(await tutti.views().update('r')).toEqual([]);
  expect(names.map((name) => readFileSync(join(run, name), 'utf8'))).toEqual(before);
  expect(existsSync(join(run, '.signals/exec-agent.done'))).toBe(true);
});

test('the signal of a step that runs again is gone until it has ended again', async () => {
  using folder = tempFolder();
  using tutti = await ranIn(folder.path);
  const signal = join(tutti.paths.run('r'), '.signals/exec-agent.done');
  expect(existsSync(signal)).toBe(true);
  await reopenEntries(tutti, 'r', ({ key }) => key.startsWith('agent'));
  await tutti.views().update('r');
  expect(existsSync(signal)).toBe(false);
});

test('a view that cannot be written is named, and stops nothing', async () => {
  using folder = tempFolder();
  using tutti = await ranIn(folder.path);
  const report = join(tutti.paths.run('r'), 'execution-report.md');
  rmSync(report);
  mkdirSync(join(report, 'in-the-way'), { recursive: true });
  expect(await tutti.views().update('r')).toEqual([report]);
});

test('feeds of runs that ended long ago are pruned, and nothing else of them', async () => {
  using folder = tempFolder();
  using tutti = await ranIn(folder.path);
  const ended = (await tutti.queries.run('r'))?.endedAt ?? 0;
  // What was told last keeps its number.
  expect(await tutti.store.pruneEvents(ended + 1)).toBe(0);
  await tutti.store.note(null, { type: 'session.archived', session: 's' });
  expect(await tutti.store.pruneEvents(ended)).toBe(0);
  expect(await tutti.store.pruneEvents(ended + 1)).toBeGreaterThan(5);
  expect(await tutti.queries.events('r', 0)).toEqual([]);
  expect((await tutti.queries.run('r'))?.state.at).toBe('ended');
  // What was written while the feed was there stays.
  expect(await tutti.views().update('r')).toEqual([]);
  expect(readFileSync(join(tutti.paths.run('r'), '.live-report'), 'utf8')).toContain('run.started');
});
