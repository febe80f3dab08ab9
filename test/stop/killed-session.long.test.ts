import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { write } from '../cli/project.ts';
import { cli } from '../cli/rig.ts';
import { plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { lines } from '../e2e/project.ts';
import { Terminals } from './terminals.ts';

const limit = { timeout: hangLimitMs };

/** Notes its turn; the one that the file `slow` names works until it is killed. */
const agent = `prompt=$(cat)
turn=$(printf '%s' "$prompt" | grep -q 'not pass\\|failed' && echo heal || echo first)
echo $turn >> ledger
[ "$(cat slow)" != $turn ] || sleep 600
[ $turn = first ] || touch healed
`;

test('resume starts the killed turn of a flow again, and keeps the turns before it', limit, async () => {
  using folder = tempFolder();
  const options = { folder: folder.path, stdin: '' };
  write(folder.path, {
    'agent.sh': agent,
    slow: 'heal',
    'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [sh, agent.sh]}}\n',
    'agents/coder.md': '---\nname: coder\nresult: optional\n---\nWrite code.\n',
    'flow.yaml': `steps:
  - {id: a, agent: coder, prompt: go, gates: [{file: healed}], retry: {max: 2}}
  - {id: b, needs: [a], command: [touch, end]}
`,
  });
  const run = cli(options, 'run', 'flow.yaml', '--run-id', 'r');
  await Promise.race([
    run.then(({ out, err }) => expect.fail(out + err)),
    until(() => lines(join(folder.path, 'ledger')).includes('heal')),
  ]);
  expect(await cli(options, 'session', 'kill', 'last', '--force')).toMatchObject({ code: 0 });
  const killed = await run;
  expect(killed).toMatchObject({ code: 20, out: expect.stringContaining('→ continue: tutti resume r\n') });
  expect(killed.out).not.toContain('was stopped');
  writeFileSync(join(folder.path, 'slow'), 'none');
  const resumed = await cli(options, 'resume', 'r');
  expect(resumed, resumed.out).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^run r continues; again: a\n/),
  });
  expect(lines(join(folder.path, 'ledger'))).toEqual(['first', 'heal', 'heal']);
  expect(existsSync(join(folder.path, 'end'))).toBe(true);
});

test('resume continues planning whose session a person killed', limit, async () => {
  using terminals = new Terminals();
  const { project } = terminals;
  const [first] = await terminals.at('physical', 'plan', 'records.md');
  expect(await terminals.tutti('session', 'kill', 'last', '--force')).toMatchObject({ code: 0 });
  expect(await first).toMatchObject({ code: 20, out: expect.not.stringContaining('was stopped') });
  project.release('physical');
  const resumed = await terminals.tutti('resume', `${plan}-plan`);
  expect(resumed, resumed.out).toMatchObject({ code: 3 });
  expect(project.turns().slice(0, 3)).toEqual(['logical', 'physical', 'physical']);
});

test('resume continues an execution whose session a person killed', limit, async () => {
  using terminals = new Terminals();
  const { project } = terminals;
  expect(await terminals.tutti('plan', 'records.md', '--yes')).toMatchObject({ code: 0 });
  project.forgetTurns();
  const [first] = await terminals.at('T002', 'execute', '--batch');
  expect(await terminals.tutti('session', 'kill', 'last', '--force')).toMatchObject({ code: 0 });
  const killed = await first;
  expect(killed, killed?.out).toMatchObject({ code: 20, out: expect.not.stringContaining('was stopped') });
  project.release('T002');
  const resumed = await terminals.tutti('resume', `${plan}-execute`);
  expect(resumed, resumed.out).toMatchObject({ code: 0 });
  expect(project.turns()).toEqual(['T001', 'T001/verify', 'T002', 'T002', 'T002/verify']);
});
