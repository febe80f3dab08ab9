import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PayProject, plan } from '../pay/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A run with a finished turn, and one whose agent works until it is killed. */
export const files = {
  'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  'agent.sh': `cat > /dev/null
echo "$TUTTI_STEP" >> ledger
[ "$TUTTI_STEP" != sleeps ] || sleep 600
echo '{"status":"success","summary":"told"}' > "$TUTTI_RESULT"
`,
  'flow.yaml': { name: 'told', steps: [{ id: 'told', agent: 'coder', prompt: 'Tell.' }] },
  'long.yaml': { name: 'long', steps: [{ id: 'sleeps', agent: 'coder', prompt: 'Sleep.' }] },
};

export const run = ['run', 'flow.yaml', '--run-id', 'r1'] as const;

export function ledger(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, 'ledger'), 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}

export function deleteDatabase(folder: string): void {
  for (const name of ['tutti.db', 'tutti.db-wal', 'tutti.db-shm']) {
    rmSync(join(folder, '.tutti', name), { force: true });
  }
}

/*
 * What becomes of finished work when the database is lost, with this program or an older one, which has no command that
 * restores it.
 */

/** A finished flow is run again under its id. Returns the turns of both. */
export async function flowAfterLoss(program?: string): Promise<readonly string[]> {
  using project = tempFolder();
  writeProject(project.path, files);
  const tutti = (...args: readonly string[]) => startTutti(project.path, args, {}, program).ended;
  await tutti(...run);
  deleteDatabase(project.path);
  if (program === undefined) await tutti('recover');
  // The id of a session names the second in which it began, and the folder of the forgotten one is still there.
  const second = Math.floor(Date.now() / 1000);
  await until('the next second', () => Math.floor(Date.now() / 1000) > second);
  await tutti(...run);
  return ledger(project.path);
}

/** A finished plan is planned and executed again. Returns the turns that were paid for after the loss. */
export async function planAfterLoss(program?: string): Promise<readonly string[]> {
  using project = new PayProject(program);
  await project.run('plan', 'records.md', '--yes');
  await project.run('execute', '--batch');
  deleteDatabase(project.path);
  if (program === undefined) await project.run('recover');
  project.forgetTurns();
  await project.run('plan', 'records.md', '--plan', plan, '--yes');
  await project.run('execute', '--batch');
  return project.turns();
}
