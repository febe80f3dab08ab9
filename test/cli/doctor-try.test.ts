import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli, type CliOptions } from './rig.ts';

const steps = {
  write: 'cp word.txt written.txt',
  command: 'line=$(sh run-me.sh); echo "$line"',
  result: `printf '{"status":"success","summary":"%s"}' "$line" > "$TUTTI_RESULT"`,
};

/** A project whose agent is a shell script of these lines. */
function project(root: string, lines: readonly string[], more: Partial<CliOptions> = {}): CliOptions {
  write(root, {
    'project/tutti.yaml':
      'driver: mine\ndrivers: {mine: {type: command, command: [sh, agent.sh]}}\nsandbox: off\n',
    'project/agent.sh': `cat > /dev/null\n${lines.join('\n')}\n`,
  });
  write(root, {
    'project/tutti.yaml': `driver: mine\ndrivers: {mine: {type: command, command: [sh, ${join(root, 'project/agent.sh')}]}}\nsandbox: off\n`,
  });
  return { folder: join(root, 'project'), env: { HOME: root }, stdin: '', ...more };
}

function trials(root: string): readonly string[] {
  const state = join(root, '.local/state/tutti');
  return existsSync(state) ? readdirSync(state).filter((name) => name.startsWith('try-')) : [];
}

test('doctor --try says what it costs, proves four things and leaves nothing behind', async () => {
  using folder = tempFolder();
  const here = project(folder.path, Object.values(steps));
  const { out, err, code } = await cli(here, 'doctor', '--try');
  expect(err).toMatch(
    /^This runs one small turn with mine: usually less than [\d,]+ tokens, at most [\d,]+\.\n$/,
  );
  expect(out).toMatch(/^✔ read .*\n✔ write .*\n✔ command .*\n✔ result .*\nmodel .*\nmine works here\n$/);
  expect(code).toBe(0);
  expect(trials(folder.path)).toEqual([]);
  expect(existsSync(join(here.folder, '.tutti'))).toBe(false);
});

test.for([
  ['write', 'the agent could not write in its workspace'],
  ['command', 'the agent could not run a command'],
  ['result', 'the result was not accepted'],
] as const)(
  'doctor --try with an agent that cannot do its %s is red and keeps the log',
  async ([missing, says]) => {
    using folder = tempFolder();
    const lines = Object.entries(steps).flatMap(([name, line]) => (name === missing ? [] : [line]));
    const { out, code } = await cli(project(folder.path, lines), 'doctor', '--try');
    expect(out).toContain(`✘ ${missing}`);
    expect(out).toMatch(
      new RegExp(`mine does not work here: ${says}.*\n  → .*\n  output: .*output\\.log\n$`),
    );
    expect(code).toBe(69);
    expect(trials(folder.path)).toHaveLength(1);
  },
);

test('doctor --try asks on a terminal, and starts nothing without a yes', async () => {
  using folder = tempFolder();
  const { stdin: _none, ...here } = project(folder.path, Object.values(steps));
  const refused = await cli({ ...here, typed: 'n' }, 'doctor', '--try');
  expect(refused).toMatchObject({
    out: 'Nothing was run.\n',
    err: expect.stringContaining('tokens, at most'),
  });
  expect(trials(folder.path)).toEqual([]);
  expect((await cli({ ...here, typed: 'y' }, 'doctor', '--try')).out).toContain('mine works here');
  expect((await cli(here, 'doctor', '--try', '--yes')).out).toContain('mine works here');
});

test('doctor --try as JSON tells each proof, and an unknown driver is refused with the nearest', async () => {
  using folder = tempFolder();
  const here = project(folder.path, [steps.command, steps.result]);
  const { out } = await cli(here, 'doctor', '--try', '--json');
  expect(JSON.parse(out)).toMatchObject({
    driver: 'mine',
    works: false,
    proofs: [
      { what: 'read', proven: true },
      { what: 'write', proven: false },
      { what: 'command', proven: true },
      { what: 'result', proven: true },
    ],
  });
  expect(await cli(here, 'doctor', '--try', 'mime')).toMatchObject({
    code: 64,
    err: "tutti: there is no driver 'mime'\n  → did you mean: tutti doctor --try mine\n",
  });
  expect((await cli(here, 'doctor', 'mine')).err).toContain('→ tutti doctor --try mine\n');
});
