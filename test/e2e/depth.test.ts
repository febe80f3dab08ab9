import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../rig/repository.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, lines, writeShellProject } from './project.ts';

const env = { TUTTI_TEST_NODE: process.execPath, TUTTI_TEST_PROGRAM: repository('bin/tutti.js') };

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
