import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trustForm } from '../../src/model/schemas/trust.ts';
import { ledger, statusOf, until, untilEnded, writeShellProject } from '../e2e/project.ts';
import { personProgram, startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const flow = {
  name: 'slow',
  steps: [
    { id: 'slow', agent: 'coder', prompt: 'slow' },
    { id: 'quick', needs: ['slow'], agent: 'coder', prompt: 'quick' },
  ],
};

/** Revokes the trust as a person, who trusts nothing besides. */
async function revoke(path: string, ...flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await startTutti(path, ['trust', '--revoke', ...flags], {}, personProgram)
    .ended;
  expect(code, stderr).toBe(0);
  return stdout;
}

test('trust --revoke names the runs that still work with what was trusted, and they do until they are stopped', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r', '--detach')).code).toBe(0);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  const { driven_by: pid } = (await statusOf(path, 'r')) as { readonly driven_by?: number };

  expect(await revoke(path)).toContain(
    `run r is under way: process ${pid} keeps the settings and agents that it has read\n` +
      '  → stop it: tutti stop r; what continues it after that asks for trust\n',
  );
  expect(trustForm.parse(JSON.parse(await revoke(path, '--json')))).toMatchObject({
    trusted: false,
    under_way: [{ run_id: 'r', pid }],
  });
  writeFileSync(join(path, 'go'), '');
  await until('its next step was done by the same settings', () => ledger(path).includes('quick end'));

  // The control: a run that has ended is not named.
  await untilEnded(path, 'r');
  const again = await revoke(path, '--json');
  expect(trustForm.parse(JSON.parse(again))).toMatchObject({ did: 'revoked', under_way: [] });
});

test('trust --revoke names a run whose agent works while no process advances it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  run.child.kill('SIGKILL');
  await run.ended;
  expect(await revoke(path)).toContain(
    'run r is under way: what it started works on, and no process advances it\n' +
      '  → stop it: tutti stop r; what continues it after that asks for trust\n',
  );
  expect((await tutti(path, 'stop', 'r')).code).toBe(0);
  expect(trustForm.parse(JSON.parse(await revoke(path, '--json')))).toMatchObject({ under_way: [] });
});
