import { expect, test } from 'vitest';
import { ledger, writeShellProject } from '../e2e/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

test('killing a lost session names the living session that tries its turn again', async () => {
  using folder = tempFolder();
  const { path } = folder;
  writeShellProject(path, { steps: [{ id: 'slow', agent: 'coder', prompt: 'go' }] });
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).length === 1);
  const rows = async (): Promise<readonly string[]> => {
    const { stdout } = await tutti(path, 'session', 'list', '--json');
    const lines = stdout.trim().split('\n');
    return lines.map((line) => (JSON.parse(line) as { readonly session_id: string }).session_id);
  };
  const [first = ''] = await rows();
  const { stdout: status } = await tutti(path, 'session', 'status', first, '--json');
  const { pid } = JSON.parse(status) as { readonly pid: number | null };
  if (pid === null || pid <= 1) throw new Error(`no process is known of ${first}`);
  process.kill(pid, 'SIGKILL');
  await until('it is tried again', () => ledger(path).length === 2);
  const retry = (await rows()).find((id) => id !== first);
  const { stdout } = await tutti(path, 'session', 'kill', first, '--force');
  expect(stdout).toContain(
    `Its turn is tried again by session ${retry}\n  → kill that one: tutti session kill ${retry}\n`,
  );
  await tutti(path, 'stop', 'r');
  await run.ended;
});
