import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { goodPlan } from '../plans/good-plan.ts';
import { startTutti } from '../rig/program.ts';
import { suspendedHolder } from '../workspaces/suspended-holder.ts';
import { cheap, ExecuteProject, plan, projectEnv } from './project.ts';

function stateOf(project: string): string {
  const found = execFileSync('sh', ['-c', `ls -d "${dirname(project)}"/state/tutti/*/${plan}`], {
    encoding: 'utf8',
  });
  return found.trim();
}

test.for([
  ['land', 'delivery', []],
  ['execute', 'landing', ['--task', 'T002']],
] as const)(
  'tutti %s names the suspended process that holds the %s lock, and works once that process went on',
  {
    timeout: 300_000,
  },
  async ([command, lock, flags]) => {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 4 })));
    expect((await project.play({ tasks: ['T001'] })).outcome).toBe('SUCCESS');
    const number = join(dirname(project.path), 'number');
    writeFileSync(number, '0');
    await using holder = await suspendedHolder(join(stateOf(project.path), 'locks', lock), number);
    const run = () =>
      startTutti(project.path, [command, '--plan', plan, ...flags], projectEnv(project.path)).ended;
    const refused = await run();
    const said = `process ${holder.pid} holds the ${lock} lock of plan ${plan} and does not respond: it is suspended`;
    expect(refused).toMatchObject({ code: 69, stderr: expect.stringContaining(said) });
    expect(refused.stderr).toContain(`  → let it continue: kill -CONT ${holder.pid}; then try again`);
    await holder.continued();
    expect(await run()).toMatchObject({ code: 0 });
  },
);
