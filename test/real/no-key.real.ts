import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { type CliName, cliWorlds } from './cli-tools.ts';
import { programOf } from './program-of.ts';

/*
 * The real CLIs on a machine where nobody has signed in. The words are their own: a model that could be reached would do the
 * work, and one that is asked without a key refuses.
 */

/** What the failure of each names, so that a person knows what to do. */
const advice: Readonly<Record<CliName, RegExp>> = {
  claude: /Not logged in.*set ANTHROPIC_API_KEY, or run `claude auth login`/,
  codex: /OPENAI_API_KEY/,
  gemini: /set GEMINI_API_KEY/,
  opencode: /opencode auth login/,
};

/** A gate, so that work without a result would be judged and healed. */
const flow = {
  steps: [
    { id: 'work', agent: 'coder', prompt: 'Make a.txt.', retry: { max: 3 }, gates: [{ file: 'a.txt' }] },
  ],
};

interface Keyless {
  readonly code: number;
  /** What `tutti run` printed. */
  readonly said: string;
  /** A line of JSON for each session that was launched. */
  readonly sessions: readonly string[];
}

async function runKeyless(
  cli: CliName,
  project: string,
  env: Readonly<Record<string, string>>,
): Promise<Keyless> {
  const start = (...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
    new Promise((resolve) => {
      const argv = [repository('bin/tutti.js'), ...args];
      execFile(process.execPath, argv, { cwd: project, env }, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: `${out}${err}` });
      });
    });
  writeFileSync(join(project, 'tutti.yaml'), `driver: ${cli}\n`);
  writeFileSync(join(project, 'flow.yaml'), JSON.stringify(flow));
  const run = await start('run', 'flow.yaml');
  const { said } = await start('session', 'list', '--json');
  return { ...run, sessions: said.split('\n').filter((line) => line.startsWith('{"session_id"')) };
}

/** One turn whose model answers 401, with the key of the CLI or without. */
async function playRefusal(cli: CliName, how: 'with' | 'without') {
  const { program } = await programOf(cli);
  // Codex refuses to work with a home below the temporary folder.
  using root = tempFolder('/var/tmp');
  const at = (name: string): string => join(realpathSync(root.path), name);
  for (const name of ['bin', 'home', 'project', 'tmp']) mkdirSync(at(name));
  symlinkSync(program, join(at('bin'), cli));
  await using world = await cliWorlds[cli](at('home'), () => {
    // As OpenAI says it.
    const message =
      "You didn't provide an API key. You need to provide your API key in an Authorization header.";
    return { status: 401, message, error: { message, type: 'invalid_request_error' } };
  });
  const { [world.key]: key, ...rest } = world.env;
  const end = await runKeyless(cli, at('project'), {
    PATH: [at('bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: at('home'),
    TMPDIR: at('tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...rest,
    ...(how === 'with' && key !== undefined ? { [world.key]: key } : {}),
  });
  return { ...end, key: world.key };
}

test.for(['claude', 'codex', 'gemini', 'opencode'] as const)(
  'a turn of %s without any key ends at once, is not healed, and names what is missing',
  { timeout: 180_000 },
  async (cli) => {
    const { code, said, sessions } = await playRefusal(cli, 'without');
    expect(sessions, said).toHaveLength(1);
    expect(sessions[0]).toContain('"outcome":"UNAVAILABLE"');
    expect(said).toMatch(/agent coder cannot use its model: /);
    expect(said).toMatch(advice[cli]);
    expect(code).toBe(69);
  },
);

test('a turn of claude whose key is refused names the variable that holds it, and counts no retry', {
  timeout: 180_000,
}, async () => {
  const { code, said, sessions, key } = await playRefusal('claude', 'with');
  expect(sessions, said).toHaveLength(1);
  expect(said).toContain(`; the model refused the key in ${key}; set a valid one`);
  expect(said).not.toMatch(/asked the model again|tries again|or run `claude/);
  expect(code).toBe(69);
});
