import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { startTutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Stands in for claude: says which process it is, and never ends. */
const endless = `#!/bin/sh
case $1 in --version) echo '2.1.325 (Claude Code)'; exit 0 ;; esac
echo $$ > "$HOME/pid.new" && mv "$HOME/pid.new" "$HOME/pid"
exec sleep 1000
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s during doctor --try stops the agent', async (signal) => {
  using folder = tempFolder();
  const home = realpathSync(folder.path);
  const [bin, project] = [join(home, 'bin'), join(home, 'project')];
  for (const path of [bin, project]) mkdirSync(path);
  writeFileSync(join(bin, 'claude'), endless);
  chmodSync(join(bin, 'claude'), 0o755);
  writeFileSync(join(project, 'tutti.yaml'), 'driver: claude\nsandbox: off\n');
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home };
  const { child, ended } = startTutti(project, ['doctor', '--try', '--yes'], env);
  await until('the agent works', () => existsSync(join(home, 'pid')));
  const agent = Number(readFileSync(join(home, 'pid'), 'utf8'));
  expect(isAlive(agent)).toBe(true);
  child.kill(signal);
  expect(await ended).toMatchObject({
    code: 20,
    stderr: expect.stringContaining('the trial was interrupted, and its agent was stopped') as string,
  });
  expect(isAlive(agent)).toBe(false);
});
