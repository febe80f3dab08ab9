import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentsOf, write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { Terminals } from './terminals.ts';

const limit = { timeout: hangLimitMs };
const refused = { code: 1, out: '', err: expect.stringContaining('is already advanced by process') };

/** The commands are refused one after the other, and change nothing. */
async function expectRefusals(
  terminals: Terminals,
  ...commands: readonly (readonly string[])[]
): Promise<void> {
  for (const command of commands) {
    const before = terminals.facts();
    expect(await terminals.tutti(...command), command.join(' ')).toMatchObject(refused);
    expect(terminals.facts(), command.join(' ')).toEqual(before);
  }
}

test('a refused command changes nothing of the execution that another command advances', limit, async () => {
  using terminals = new Terminals();
  const { project } = terminals;
  expect(await terminals.tutti('plan', 'records.md', '--yes')).toMatchObject({ code: 0 });
  project.forgetTurns();
  const flags = ['--no-verify', '--max-launches', '7', '--parallel', '1'];
  const [first] = await terminals.at('T001', 'execute', '--batch', ...flags);
  await expectRefusals(
    terminals,
    ['execute', '--batch', '--max-launches', '50'],
    ['execute', '--batch', '--detach'],
    ['execute', '--task', 'T002'],
    ['resume', `${plan}-execute`],
    ['resume', `${plan}-execute`, '--step', 'T001'],
    ['resume', plan],
  );
  project.release('T001');
  expect(await first).toMatchObject({ code: 0 });
  expect(project.turns()).toEqual(['T001', 'T002']);
  const status = JSON.parse((await terminals.tutti('status', `${plan}-execute`, '--json')).out) as object;
  expect(status).toMatchObject({ budget: { launches: { used: 2, limit: 7 } } });
});

test('a refused plan changes nothing of the planning that another command advances', limit, async () => {
  using terminals = new Terminals();
  const [first] = await terminals.at('logical', 'plan', 'records.md', '--yes');
  writeFileSync(join(terminals.project.path, 'records.md'), '# Records\n\n- B1 parse: reads other records\n');
  await expectRefusals(
    terminals,
    ['plan', '--plan', plan],
    ['plan', 'records.md', '--plan', plan, '--yes'],
    ['plan', '--plan', plan, '--detach', '--refresh'],
  );
  terminals.project.release('logical');
  expect(await first).toMatchObject({ code: 0 });
  expect((await terminals.tutti('plan', 'status', '--plan', plan, '--json')).out).toContain(
    '"said":"approved"',
  );
});

test('a refused run changes nothing of the flow that another command advances', limit, async () => {
  using folder = tempFolder();
  const options = { folder: folder.path, stdin: '' };
  const slow = '{id: slow, command: [sh, -c, "until [ -e go ]; do sleep 0.02; done"]}';
  const flow = (...steps: readonly string[]) => `steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
  write(folder.path, {
    'flow.yaml': flow(slow, '{id: last, needs: [slow], command: [touch, first]}'),
    'edited.yaml': flow(
      slow,
      '{id: last, needs: [slow], command: [touch, second]}',
      '{id: new, command: [touch, new]}',
    ),
  });
  const others: Promise<CliEnd>[] = [];
  const first = await cli(
    {
      ...options,
      onOutput: (all) => {
        if (others.length > 0 || !all.includes('slow started')) return;
        others.push(cli(options, 'run', 'edited.yaml', '--run-id', 'r'));
        void others[0]?.finally(() => {
          mkdirSync(join(folder.path, 'go'));
        });
      },
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r',
  );
  expect(await Promise.all(others)).toMatchObject([refused]);
  expect(first).toMatchObject({ code: 0 });
  expect(contentsOf(folder.path).filter((line) => /^\/(?:first|second|new) /.test(line))).toHaveLength(1);
  expect((await cli(options, 'status', 'r')).out).not.toContain('new');
});

test('resume lifts a halt that another command carries out, and that command continues', limit, async () => {
  using terminals = new Terminals();
  const { project } = terminals;
  expect(await terminals.tutti('plan', 'records.md', '--yes')).toMatchObject({ code: 0 });
  const [first] = await terminals.at('T001', 'execute', '--batch');
  expect(await terminals.tutti('halt', plan)).toMatchObject({ code: 0 });
  expect(await terminals.tutti('resume', plan)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`run ${plan}-execute continues in process ${process.pid}`),
  });
  project.release('T001');
  expect(await first).toMatchObject({ code: 0 });
});

test('plan attaches to planning that was left to the conductor, and keeps its --yes', limit, async () => {
  using project = new PayProject();
  project.hold('logical');
  expect((await project.run('plan', 'records.md', '--yes', '--detach')).code).toBe(0);
  await until(() => project.turns().includes('logical'));
  const attached = project.start('plan', '--plan', plan);
  await until(async () => (await project.run('events', `${plan}-plan`)).stdout.includes('amended'));
  project.release('logical');
  expect(await attached.ended).toMatchObject({ code: 0 });
  expect((await project.run('plan', 'status', '--plan', plan, '--json')).stdout).toContain(
    '"said":"approved"',
  );
});
