import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesOf, statusOf, until } from '../e2e/project.ts';
import { startTutti, tutti, writeProject } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Notes that it works, and works on while there is a file `slow`. */
const agent = `echo "$TUTTI_STEP" >> ledger
touch "waits-$TUTTI_STEP"
if [ -e slow ]; then exec sleep 1000; fi
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

/** As it is, with no word for the person who calls it. */
const program = installedTutti();

const work = 'touch waits-two; if [ -e slow ]; then exec sleep 1000; fi';

test('a stop by a caller who may not read the database is recorded as one, and resume fails nothing', async () => {
  using folder = tempFolder();
  using other = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, {
    'agent.sh': agent,
    'flow.yaml': {
      name: 'slow',
      concurrency: 2,
      steps: [
        { id: 'one', agent: 'coder', prompt: 'one' },
        { id: 'two', command: ['sh', '-c', work] },
      ],
    },
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  });
  writeFileSync(join(path, 'slow'), '');
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  const waits = until('both steps are at work', () =>
    ['one', 'two'].every((step) => existsSync(join(path, `waits-${step}`))),
  );
  await Promise.race([waits, run.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
  const stopped = await startTutti(path, ['stop', '--all'], { HOME: other.path }, program).ended;
  expect(stopped.code, stopped.stdout).toBe(69);
  expect(processesOf(path)).toEqual([]);
  expect((await run.ended).code).toBe(20);
  const left = await statusOf(path, 'r');
  expect(left).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
  const [session = ''] = (await tutti(path, 'session', 'list', '--json')).stdout.split('\n');
  expect(JSON.parse(session)).toMatchObject({ status: 'KILLED' });
  rmSync(join(path, 'slow'));
  const resumed = await tutti(path, 'resume', 'r');
  expect(resumed.code, resumed.stderr + resumed.stdout).toBe(0);
});
