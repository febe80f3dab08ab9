import { appendFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ledger, lines, until, untilEnded, writeShellProject } from '../e2e/project.ts';
import { personProgram, startTutti, tutti } from '../rig/program.ts';
import { Desk, plan, spec } from './desk.ts';
import { cli } from './rig.ts';
import { tempFolder, type TempFolder } from '../rig/temp-folder.ts';

const flow = { name: 'asks', steps: [{ id: 'asks', agent: 'coder', prompt: 'Ask.' }] };

/** A run that waits for the answer to its only question. */
async function asked({ path: folder }: TempFolder): Promise<string> {
  const path = realpathSync(folder);
  writeShellProject(path, flow);
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r')).code).toBe(3);
  return path;
}

/** As a person, who trusts nothing besides. */
function asPerson(path: string, ...args: readonly string[]) {
  return startTutti(path, args, {}, personProgram).ended;
}

test('an answer says that a run does not continue where the conductor would refuse for want of trust', async () => {
  using folder = tempFolder();
  const path = await asked(folder);
  expect((await asPerson(path, 'trust', '--revoke')).code).toBe(0);
  const answered = await asPerson(path, 'answer', 'Q1', 'red');
  expect(answered.code, answered.stderr).toBe(0);
  expect(answered.stdout).toBe(
    `answered Q1 with 'red': run r waits, because ${path} brings what you have not trusted as it is now: ` +
      'tutti.yaml (driver, drivers, env), and continues with it after: tutti trust && tutti resume r\n',
  );
  // No conductor was started in vain.
  expect(lines(join(path, '.tutti', 'logs', 'conductor.log'))).toEqual([]);
  expect((await asPerson(path, 'inbox')).stdout).not.toContain('Q1');
  expect((await asPerson(path, 'status', 'r')).stdout).toContain(
    `  no process advances it\n  ${path} brings what you have not trusted as it is now: tutti.yaml (driver, drivers, env)\n` +
      '  → trust it first: tutti trust\n  → continue: tutti resume r\n',
  );
  expect((await asPerson(path, 'trust', '--yes')).code).toBe(0);
  // The answer was recorded, and the commands that were named continue with it.
  const resumed = await asPerson(path, 'resume', 'r');
  expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0);
  expect(ledger(path).filter((line) => line === 'asks begin')).toHaveLength(1);
});

test('control: where everything is trusted, an answer starts a conductor and says so', async () => {
  using folder = tempFolder();
  const path = await asked(folder);
  const answered = await tutti(path, 'answer', 'Q1', 'red');
  expect(answered.stdout).toBe(
    "answered Q1 with 'red': run r continues in the background (tutti status r)\n",
  );
  const log = join(path, '.tutti', 'logs', 'conductor.log');
  await until('a conductor started', () => lines(log).some((line) => line.endsWith(' started')));
  expect(await untilEnded(path, 'r')).toMatchObject({ outcome: 'SUCCESS' });
});

test('the status of a plan whose run waits for trust names tutti trust before the command that continues it', async () => {
  using desk = new Desk();
  expect((await desk.type('plan', spec, '--new')).code).toBe(3);
  appendFileSync(join(desk.path, 'tutti.yaml'), 'workspace: { setup: [["true"]] }\n');
  const env = { HOME: dirname(desk.path) };
  const type = (...words: readonly string[]) =>
    cli({ folder: desk.path, env, stdin: '', trusts: false }, ...words);
  expect((await type('answer', 'Q1', 'refuse')).out).toContain(
    'brings what you have not trusted as it is now',
  );
  const { out } = await type('plan', 'status');
  expect(out).toContain(`\n  ${desk.path} brings what you have not trusted as it is now: tutti.yaml`);
  expect(out).toContain(`\n  → trust it first: tutti trust\n  → tutti resume ${plan}-plan\n`);
});
