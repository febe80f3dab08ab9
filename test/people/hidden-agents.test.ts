import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGroup, removeGroup } from '../../src/lib/process/cgroup.ts';
import { until } from '../rig/attempt-rig.ts';
import { lines } from '../e2e/project.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** Whether sessions have control groups on this machine. */
const hasGroups = (() => {
  const { dirs } = openGroup(`hidden-agents-${process.pid}`, {
    memoryBytes: null,
    processes: null,
    cpuPercent: null,
  });
  for (const dir of dirs) removeGroup(dir);
  return dirs.length > 0;
})();

async function countSessions(path: string): Promise<number> {
  const { stdout } = await tutti(path, 'session', 'list', '--json');
  return stdout.split('\n').filter((line) => line !== '').length;
}

/** Forks twice, leaves its session and its environment, and starts an agent; `told` is all that it says of itself. */
function hidingScripts(told: string): Readonly<Record<string, string>> {
  return {
    'hidden.sh': `"${process.execPath}" "${installedTutti()}" session create other task.md >said 2>&1; echo $? >code\n`,
    'task.md': 'Say hello.\n',
    'agent.sh': `cd "$TUTTI_PROJECT"
if [ "$TUTTI_AGENT" != other ]; then
  sh -c 'setsid env -i PATH="$PATH" HOME="$HOME" ${told} sh hidden.sh &' & wait
  while [ ! -s code ]; do sleep 0.1; done
fi
[ -z "$TUTTI_RESULT" ] || echo '{"status":"success"}' >"$TUTTI_RESULT"
`,
  };
}

test('an agent without allow that hides its parents and its environment starts no session', async (context) => {
  if (!hasGroups) context.skip('needs control groups');
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, {
    ...hidingScripts(''),
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
    'agents/coder.md': '---\nname: coder\n---\nWork.\n',
    'agents/other.md': '---\nname: other\n---\nWork.\n',
    'flow.yaml': { name: 'hides', steps: [{ id: 'work', agent: 'coder', prompt: 'Work.' }] },
  });
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r')).code).toBe(0);
  await until('the hidden command has ended', () => lines(join(path, 'code')).length > 0);
  expect(readFileSync(join(path, 'said'), 'utf8')).toContain("agent coder does not have 'sessions' in allow");
  expect(await countSessions(path)).toBe(1);
});

test('a command that hides itself and names another run is paid for by its own run', async (context) => {
  if (!hasGroups) context.skip('needs control groups');
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeProject(path, {
    ...hidingScripts('TUTTI_RUN_ID=rich'),
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
    'agents/other.md': '---\nname: other\n---\nWork.\n',
    'rich.yaml': { name: 'rich', steps: [{ id: 'work', command: ['true'] }] },
    'flow.yaml': {
      name: 'hides',
      budget: { launches: 1 },
      steps: [
        { id: 'first', agent: 'other', prompt: 'Say hello.' },
        { id: 'work', needs: ['first'], command: ['sh', 'agent.sh'] },
      ],
    },
  });
  expect((await tutti(path, 'run', 'rich.yaml', '--run-id', 'rich')).code).toBe(0);
  const ran = await tutti(path, 'run', 'flow.yaml', '--run-id', 'poor');
  expect(ran.code, ran.stderr).toBe(0);
  const said = readFileSync(join(path, 'said'), 'utf8');
  expect(lines(join(path, 'code')), said).toEqual(['23']);
  expect(await countSessions(path)).toBe(1);
});
