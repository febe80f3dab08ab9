import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../../src/lib/json.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, lines, writeShellProject } from './project.ts';

const env = { TUTTI_TEST_NODE: process.execPath, TUTTI_TEST_PROGRAM: installedTutti() };

/** May start agents. */
const chief = '---\nallow: [code, sessions]\n---\nYou nest.\n';

test('agents that start agents are stopped at the depth the budget allows, with exit code 2', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const flow = {
    name: 'nest',
    budget: { launches: 50 },
    steps: [{ id: 'nests', agent: 'chief', prompt: 'nest' }],
  };
  writeShellProject(path, flow, { max_depth: 3 });
  writeProject(path, { 'agents/chief.md': chief, 'nested.yaml': flow });
  const { code, stderr } = await startTutti(path, ['run', 'flow.yaml', '--run-id', 'r'], env).ended;
  expect(code, stderr).toBe(0);
  expect(ledger(path).filter((line) => line === 'nests begin').length).toBe(3);
  // The innermost was refused before anything was launched.
  expect(lines(join(path, 'nested.codes'))).toEqual(['3 exit 2', '2 exit 0', '1 exit 0']);
});

test('runs started inside a run cannot outspend it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const flow = {
    name: 'nest',
    budget: { launches: 2 },
    steps: [{ id: 'nests', agent: 'chief', prompt: 'nest' }],
  };
  writeShellProject(path, flow, { max_depth: 10 });
  writeProject(path, { 'agents/chief.md': chief, 'nested.yaml': { ...flow, budget: { launches: 100 } } });
  await startTutti(path, ['run', 'flow.yaml', '--run-id', 'r'], env).ended;
  expect(ledger(path).filter((line) => line === 'nests begin').length).toBe(2);
  expect(lines(join(path, 'nested.codes'))).toEqual(['2 exit 23', '1 exit 0']);
});

test('a run started inside another one keeps to its own budget as well', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const flow = {
    name: 'nest',
    budget: { launches: 50 },
    steps: [{ id: 'nests', agent: 'chief', prompt: 'nest' }],
  };
  writeShellProject(path, flow);
  const steps = [
    { id: 'one', agent: 'coder', prompt: 'one' },
    { id: 'two', needs: ['one'], agent: 'coder', prompt: 'two' },
  ];
  writeProject(path, {
    'agents/chief.md': chief,
    'nested.yaml': { name: 'tight', budget: { launches: 1 }, steps },
  });
  await startTutti(path, ['run', 'flow.yaml', '--run-id', 'r'], env).ended;
  expect(lines(join(path, 'nested.codes'))).toEqual(['1 exit 23']);
  const status = async (...run: readonly string[]) => {
    const { stdout } = await startTutti(path, ['status', ...run, '--json'], env).ended;
    return recorded<object>(JSON.parse(stdout));
  };
  // Without a name, the run that the person started; each shows its own launches.
  expect(await status()).toMatchObject({ run_id: 'r', budget: { launches: { used: 2, limit: 50 } } });
  const { stdout } = await startTutti(path, ['runs', '--json'], env).ended;
  const nested = /tight-[\w-]+/.exec(stdout)?.[0] ?? '';
  expect(await status(nested)).toMatchObject({ run_id: nested, budget: { launches: { used: 1, limit: 1 } } });
  expect(ledger(path)).toEqual(['nests begin', 'one begin', 'one end', 'nests end']);
});

test('an agent that may not start agents starts none by a flow, and its commands run', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, { name: 'nest', steps: [{ id: 'nests', agent: 'coder', prompt: 'nest' }] });
  const steps: object[] = [{ id: 'one', agent: 'coder', prompt: 'one' }];
  writeProject(path, { 'nested.yaml': { name: 'inner', steps } });
  await startTutti(path, ['run', 'flow.yaml', '--run-id', 'r'], env).ended;
  writeProject(path, { 'nested.yaml': { name: 'inner', steps: [{ id: 'one', command: ['true'] }] } });
  await startTutti(path, ['run', 'flow.yaml', '--run-id', 's'], env).ended;
  expect(lines(join(path, 'nested.codes'))).toEqual(['1 exit 64', '1 exit 0']);
  expect(ledger(path)).toEqual(['nests begin', 'nests end', 'nests begin', 'nests end']);
});

/** Fails until the file `ready` exists; the step `outer` resumes the run that failed. */
const resuming = `echo "$TUTTI_STEP begin" >> ledger
case $TUTTI_STEP in
  outer) "$TUTTI_TEST_NODE" "$TUTTI_TEST_PROGRAM" resume failed > resumed.out 2>&1; echo "exit $?" >> resumed.codes ;;
  *) [ -e ready ] || exit 1 ;;
esac
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

test('an agent that may not start agents starts none by resuming a run', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const flowOf = (id: string, agent: string) => ({ name: id, steps: [{ id, agent, prompt: id }] });
  writeShellProject(path, flowOf('inner', 'coder'));
  writeProject(path, {
    'agent.sh': resuming,
    'agents/chief.md': chief,
    'held.yaml': flowOf('outer', 'coder'),
    'free.yaml': flowOf('outer', 'chief'),
  });
  const run = (file: string, id: string) => startTutti(path, ['run', file, '--run-id', id], env).ended;
  expect((await run('flow.yaml', 'failed')).code).not.toBe(0);
  const inner = () => ledger(path).filter((line) => line === 'inner begin').length;
  const before = inner();
  writeProject(path, { ready: '' });
  await run('held.yaml', 'held');
  expect(inner()).toBe(before);
  // Control: an agent that may.
  await run('free.yaml', 'free');
  expect(lines(join(path, 'resumed.codes'))).toEqual(['exit 64', 'exit 0']);
  expect(inner()).toBe(before + 1);
});
