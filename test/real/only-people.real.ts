import { allOf } from '../rig/all-of.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditEvents } from '../../src/app/sessions/audit.ts';
import { asking } from '../cli/project.ts';
import { playedPerson } from '../rig/person.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { repository } from '../rig/repository.ts';
import { type CliPlace, cliPlace } from './cli-place.ts';
import { type CliName, cliTools } from './cli-tools.ts';
import { openTutti } from '../rig/trust.ts';

/** How each CLI works on one prompt with every tool and no question. */
const turns = {
  claude: ['-p', 'Do it.', '--allowedTools', 'Bash'],
  codex: ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', 'Do it.'],
  gemini: ['-p', 'Do it.', '--yolo', '--skip-trust'],
  opencode: ['run', 'Do it.'],
} as const satisfies Readonly<Record<CliName, readonly string[]>>;

/** A CLI whose model runs one command with its tool, and waits until the command has left its exit code. */
async function placeFor(cli: CliName, command: string, over: () => boolean): Promise<CliPlace> {
  const { shell } = cliTools[cli];
  return cliPlace(
    cli,
    ({ done, tools }) => {
      if (tools.length === 0) return { text: 'A title' };
      if (done === 0) return { tools: [shell(command)] };
      return over() ? { text: 'Done.' } : { tools: [shell('sleep 5')] };
    },
    'with',
  );
}

/** Runs a command by a tool of the real CLI; says with what it ended and what it printed. */
async function byTool(cli: CliName, command: string, prepare: (place: CliPlace) => Promise<void>) {
  let project = '';
  const file = (name: string): string => join(project, name);
  const whole = `(${command}) > said.txt 2>&1; echo $? > code.txt`;
  await using place = await placeFor(cli, whole, () => existsSync(file('code.txt')));
  project = place.project;
  await prepare(place);
  const end = await place.cli(...turns[cli]);
  if (!existsSync(file('code.txt'))) throw new Error(`${cli} ran nothing: ${end.err}${end.out}`);
  const code = Number(readFileSync(file('code.txt'), 'utf8'));
  return { code, said: readFileSync(file('said.txt'), 'utf8'), audit: await auditOf(project) };
}

async function auditOf(folder: string): Promise<readonly object[]> {
  const opened = openTutti({ folder, env: {}, caller: playedPerson({}), create: false });
  if (!opened.ok) return [];
  using tutti = opened.value;
  const request = { sinceMs: null, kind: 'decision', session: null } as const;
  return (await allOf(auditEvents(tutti, request))).map(({ event }) => event);
}

const program = `"${process.execPath}" "${installedTutti()}"`;

async function ask({ project, tutti }: CliPlace): Promise<void> {
  writeFileSync(join(project, 'asking.yaml'), asking);
  expect((await tutti('run', 'asking.yaml', '--run-id', 'asked')).code).toBe(3);
}

test.each(['claude', 'codex', 'gemini', 'opencode'] as const)(
  'a tool of the real %s answers no question, by whatever way it calls',
  async (cli) => {
    const plain = await byTool(cli, `${program} answer Q1 yes`, ask);
    expect(plain).toMatchObject({
      code: 3,
      said: expect.stringContaining('only a person may answer a question'),
    });
    expect(plain.audit).toMatchObject([{ type: 'decision.refused', by: cli }]);
    const clean = `env -i PATH="$PATH" HOME="$HOME" setsid -w ${program} answer Q1 yes`;
    const hidden = await byTool(cli, clean, ask);
    expect(hidden).toMatchObject({ code: 3, audit: [{ type: 'decision.refused', by: cli }] });
  },
);

test.each(['claude', 'codex'] as const)(
  'the demo and tests that decide pass below a tool of the real %s',
  async (cli) => {
    const tests =
      'test/agent-led/widen.test.ts test/planning/refusals.test.ts test/cli/live.test.ts test/e2e/conductor.long.test.ts';
    const vitest = repository('node_modules/vitest/vitest.mjs');
    const line = `${program} demo --json && cd "${repository('.')}" && "${process.execPath}" "${vitest}" run ${tests} --coverage.enabled=false`;
    const { code, said } = await byTool(cli, line, async () => undefined);
    expect(said).toContain('0 failed');
    expect(code).toBe(0);
  },
  900_000,
);
