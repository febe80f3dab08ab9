import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDuration } from '../../src/lib/duration.ts';
import { tryDriver } from '../../src/app/doctor/try-driver.ts';
import { locate, type Place } from '../../src/app/tutti.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
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

/** What trials left in the state directory. */
function kept(root: string): readonly string[] {
  const state = join(root, '.local/state/tutti');
  return existsSync(state) ? readdirSync(state).filter((name) => name.includes('try-')) : [];
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
  expect(kept(folder.path)).toEqual([]);
  expect(existsSync(join(here.folder, '.tutti'))).toBe(false);
});

test.for([
  ['write', 'the agent did not write the file that it was asked for'],
  ['command', 'the agent did not run the command that it was asked for'],
  ['result', 'the result was not accepted'],
] as const)(
  'doctor --try with an agent that cannot do its %s is red and keeps only the log',
  async ([missing, says]) => {
    using folder = tempFolder();
    const lines = Object.entries(steps).flatMap(([name, line]) => (name === missing ? [] : [line]));
    const { out, code } = await cli(project(folder.path, lines), 'doctor', '--try');
    expect(out).toContain(`✕ ${missing}`);
    expect(out).toMatch(
      new RegExp(`mine does not work here: ${says}.*\n  → .*\n  output: .*doctor-try-mine\\.log\n$`),
    );
    expect(code).toBe(69);
    expect(kept(folder.path)).toEqual(['doctor-try-mine.log']);
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
  expect(kept(folder.path)).toEqual([]);
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
  expect(await cli(here, 'doctor', '--try', 'nothing-like-it')).toMatchObject({
    code: 64,
    err: "tutti: there is no driver 'nothing-like-it'\n  → there are claude, codex, gemini, opencode, replay, mine; choose one with driver: in tutti.yaml (tutti help drivers)\n",
  });
  expect((await cli(here, 'doctor', 'mine')).err).toContain('→ tutti doctor --try mine\n');
});

const retry =
  '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":null,"error":"unknown"}';

/** Stands in for claude whose model cannot be reached: says this line, and goes on for ever. */
function endlessClaude(root: string, line: string): Place {
  const program = `#!/bin/sh\ncase $1 in --version) echo 2.1.325; exit 0 ;; esac\necho '${line}'\nexec sleep 1000\n`;
  write(root, { 'project/tutti.yaml': 'driver: claude\nsandbox: off\n', 'bin/claude': program });
  chmodSync(join(root, 'bin/claude'), 0o755);
  const path = `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`;
  const env = { HOME: root, PATH: path, ANTHROPIC_API_KEY: 'x' };
  const place = locate({ folder: join(root, 'project'), env });
  if (!place.ok) throw new Error(place.error.message);
  return place.value;
}

test.for([
  [
    retry,
    { retryingMs: 0, silentMs: hangLimitMs },
    /^the model did not answer within 0\.0s of its first failure: .*attempt 1 of 10/,
    /^check the network, the proxy and the base URL of claude/,
  ],
  [
    '',
    { retryingMs: hangLimitMs, silentMs: 0 },
    /^the model did not answer within 0\.0s, and the CLI said nothing$/,
    /^it may be a usage limit or an overloaded server, .* or the network: check .* base URL of claude/,
  ],
] as const)(
  'a trial whose model gives no answer is stopped and says why',
  async ([line, limits, says, hint]) => {
    using folder = tempFolder();
    const place = endlessClaude(folder.path, line);
    const heed = () => ({ [Symbol.dispose]: () => undefined });
    const tried = await tryDriver(place, 'claude', { heed, tell: () => undefined, limits });
    if (!tried.ok) throw new Error(tried.error.message);
    expect(tried.value.cause?.message).toMatch(says);
    expect(tried.value.cause?.hint).toMatch(hint);
    expect(kept(folder.path).filter((name) => name !== 'doctor-try-claude.log')).toEqual([]);
  },
);

test('while a CLI prints nothing, the progress of a trial says for how long, and when it ends', async () => {
  using folder = tempFolder();
  const place = endlessClaude(folder.path, '');
  const told: string[] = [];
  let stop = (): void => undefined;
  const heed = (given: () => void) => {
    stop = given;
    return { [Symbol.dispose]: () => undefined };
  };
  const tell = (line: string): void => {
    told.push(line);
    if (line.includes('printed nothing')) stop();
  };
  await tryDriver(place, 'claude', { heed, tell, limits: { retryingMs: 1, silentMs: hangLimitMs } });
  expect(told.at(-1)).toContain(`; without an answer the trial ends after ${formatDuration(hangLimitMs)}`);
});

test('a trial that meets a usage limit ends at once, and does not wait for its end', async () => {
  using folder = tempFolder();
  const root = folder.path;
  const limit = { message: "You've hit your usage limit. Try again at Jan 1st, 2099 1:00 PM." };
  const program = [
    '#!/bin/sh',
    'case $1 in --version) echo codex-cli 0.166.0; exit 0 ;; esac',
    'cat > /dev/null',
    `echo '{"type":"thread.started","thread_id":"t"}'`,
    `cat <<'END'\n${JSON.stringify({ type: 'turn.failed', error: limit })}\nEND`,
    'exit 1\n',
  ];
  write(root, { 'project/tutti.yaml': 'driver: codex\nsandbox: off\n', 'bin/codex': program.join('\n') });
  chmodSync(join(root, 'bin/codex'), 0o755);
  const path = `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`;
  const place = locate({
    folder: join(root, 'project'),
    env: { HOME: root, PATH: path, OPENAI_API_KEY: 'x' },
  });
  if (!place.ok) throw new Error(place.error.message);
  const tried = await tryDriver(place.value, 'codex', {
    heed: () => ({ [Symbol.dispose]: () => undefined }),
    tell: () => undefined,
    limits: { retryingMs: 2 * hangLimitMs, silentMs: 2 * hangLimitMs },
  });
  if (!tried.ok) throw new Error(tried.error.message);
  expect(tried.value.cause).toMatchObject({
    message: expect.stringContaining('usage limit'),
    hint: expect.stringMatching(
      /^wait until it is over, use another key in OPENAI_API_KEY, or name another model/,
    ),
  });
});

test('a trial that is refused leaves nothing behind', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'project/tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [/no/such]}}\n',
  });
  const here = { folder: join(folder.path, 'project'), env: { HOME: folder.path }, stdin: '' };
  const { err, code } = await cli(here, 'doctor', '--try');
  expect(err).toContain('/no/such');
  expect(code).toBe(69);
  expect(kept(folder.path)).toEqual([]);
});
