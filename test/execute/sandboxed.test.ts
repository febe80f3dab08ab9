import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { goodPlan } from '../plans/good-plan.ts';
import { needProgram } from '../rig/need-program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { cheap, ExecuteProject } from './project.ts';

/** Does what the prompt says about logging, notes what came of it, and works. */
const agent = `{
  '${process.execPath}' '${installedTutti()}' log INFO task-executor start "hello" < /dev/null; echo "log $?"
  '${process.execPath}' '${installedTutti()}' task show "$TUTTI_TASK" < /dev/null | head -1; echo "state $XDG_STATE_HOME"
} >> "$TUTTI_PROJECT/tried" 2>&1
`;

test('an executor in a sandbox logs, works and lands', {
  timeout: 300_000,
}, async (context) => {
  needProgram(context, 'bwrap');
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 4 })));
  const at = (name: string): string => join(project.path, name);
  for (const name of ['ledger', 'tried']) project.write(name, '');
  const home = dirname(project.path);
  writeFileSync(join(home, 'agent.sh'), `${agent}exec '${process.execPath}' '${join(home, 'agent.mjs')}'\n`);
  const command = ['sh', join(home, 'agent.sh')];
  const sandbox = { mode: 'workspace', write: ['ledger', 'tried'].map(at) };
  project.write(
    'tutti.yaml',
    stringify({ driver: 'mine', drivers: { mine: { type: 'command', command } }, sandbox }),
  );
  const played = await project.play({ tasks: ['T001'] });
  const tried = readFileSync(at('tried'), 'utf8');
  expect(played, tried).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T001/verify'] });
  expect(tried.match(/^log \d+$/gm)).toEqual(['log 0', 'log 0']);
  expect(project.read('.tutti/plans/records/activity.log')).toContain('[task-executor] start: hello');
  expect(tried).toContain('T001');
  expect(tried).toContain(`state ${join(home, 'state')}\n`);
});
