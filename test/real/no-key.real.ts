import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliPlace } from './cli-place.ts';
import type { CliName } from './cli-tools.ts';

/*
 * The real CLIs on a machine without a sign-in. The words are their own: a model that could be reached would do the
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

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** As OpenAI says it. */
const noKey: Refusal = {
  status: 401,
  message: "You didn't provide an API key. You need to provide your API key in an Authorization header.",
};

/** One turn whose model refuses, with the key of the CLI or without. */
async function playRefusal(cli: CliName, how: 'with' | 'without', { status, message }: Refusal = noKey) {
  const refusal = { status, message, error: { message, type: 'invalid_request_error' } };
  await using place = await cliPlace(cli, () => refusal, how);
  writeFileSync(join(place.project, 'tutti.yaml'), `driver: ${cli}\n`);
  writeFileSync(join(place.project, 'flow.yaml'), JSON.stringify(flow));
  const { code, out, err } = await place.tutti('run', 'flow.yaml');
  const listed = await place.tutti('session', 'list', '--json');
  return {
    code,
    /** What `tutti run` printed. */
    said: `${out}${err}`,
    /** A line of JSON for each session that was launched. */
    sessions: listed.out.split('\n').filter((line) => line.startsWith('{"session_id"')),
    key: place.key,
  };
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
  expect(said).toContain(`; the model refused the key in ${key}; set ${key} to a valid key`);
  expect(said).not.toMatch(/asked the model again|tries again|or run `claude/);
  expect(code).toBe(69);
});

test.for(['claude', 'codex', 'gemini', 'opencode'] as const)(
  'a turn of %s whose key is refused in the words of Anthropic ends at once and is not healed',
  { timeout: 180_000 },
  async (cli) => {
    const refused = { status: 401, message: 'invalid x-api-key' };
    const { code, said, sessions, key } = await playRefusal(cli, 'with', refused);
    expect(sessions, said).toHaveLength(1);
    expect(said).toContain(`; the model refused the key in ${key}; set ${key} to a valid key`);
    expect(code).toBe(69);
  },
);

test.for(['claude', 'codex', 'gemini', 'opencode'] as const)(
  'a turn of %s whose model is unknown ends at once, is not healed, and says where to name another',
  { timeout: 180_000 },
  async (cli) => {
    const unknown = { status: 404, message: 'The model gpt-0 does not exist' };
    const { code, said, sessions } = await playRefusal(cli, 'with', unknown);
    expect(sessions, said).toHaveLength(1);
    expect(said).toMatch(/agent coder cannot use its model: the model .*is not known: /);
    expect(said).toContain(`; name another one: drivers: {${cli}: {models: {`);
    expect(code).toBe(69);
  },
);
