import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliPlace } from './cli-place.ts';
import { type CliBrain, type CliName, type CliStep, cliTools, type CliTools } from './cli-tools.ts';

/*
 * `tutti doctor --try` with the real CLIs. The scripted model does the steps that the prompt names, one tool at a time, with the
 * tools that it is offered, and continues where one was refused.
 */

/** Does what it is asked, in order; what a tool answered is where the word and the line come from. */
function obedient({ read, write, shell }: CliTools): CliBrain {
  return ({ prompt, said, system, done, results, tools: offered }) => {
    const all = [system, ...said].join('\n');
    const word = /\b[0-9a-f]{12}\b/.exec(results[0] ?? '')?.[0] ?? 'unknown';
    const ran = results.find((text) => text.includes(`ran-${word}`)) !== undefined;
    if (!prompt.includes('word.txt')) return { text: 'I have nothing to do.' };
    if (done === 0) return { tools: [read('word.txt')] };
    if (done === 1) return { tools: [write('written.txt', word)] };
    if (done === 2) return { tools: [shell('sh run-me.sh')] };
    if (done > 3) return { text: 'done' };
    const result = {
      artifacts: [],
      notes: [],
      questions: [],
      status: ran ? 'success' : 'failed',
      summary: ran ? `ran-${word}` : 'a step was not possible',
    };
    if (offered.includes('StructuredOutput')) return { tools: [{ name: 'StructuredOutput', input: result }] };
    if (all.includes('as structured output')) return { text: JSON.stringify(result) };
    const path = /(\/[^\s`"']+\/result[^\s`"']*\.json)/.exec(all)?.[1] ?? '"$TUTTI_RESULT"';
    return { tools: [shell(`printf '%s' '${JSON.stringify(result)}' > ${path}`)] };
  };
}

function refusing(status: number, message: string): CliStep {
  return { status, message, error: { message, type: 'invalid_request_error' } };
}

interface TrialOptions {
  readonly brain?: CliBrain;
  readonly withoutKey?: boolean;
  readonly files?: 'elsewhere';
  /** Front matter of the executor; absent: the built-in agent. */
  readonly agentTools?: string;
}

async function tryOut(cli: CliName, { brain, withoutKey = false, files, agentTools }: TrialOptions = {}) {
  await using place = await cliPlace(
    cli,
    brain ?? obedient(cliTools[cli]),
    withoutKey ? 'without' : 'with',
    files,
  );
  const { project } = place;
  writeFileSync(join(project, 'tutti.yaml'), `driver: ${cli}\n`);
  if (agentTools !== undefined) {
    mkdirSync(join(project, 'agents'));
    const text = `---\ndescription: Executes\ntools: ${agentTools}\nallow: [code]\n---\nYou carry out one task.\n`;
    writeFileSync(join(project, 'agents/task-executor.md'), text);
  }
  return await place.tutti('doctor', '--try');
}

const names = ['claude', 'codex', 'gemini', 'opencode'] as const;
const limit = { timeout: 180_000 };

test.for(names)(
  'doctor --try with %s says what it costs and proves read, write, command and result',
  limit,
  async (cli) => {
    const { code, out, err } = await tryOut(cli);
    expect(err).toMatch(
      new RegExp(`^This runs one small turn with ${cli}: .* tokens, at most [\\d,]+\\.\n(?:  … .*\n)*$`),
    );
    expect(out, err).toMatch(
      /^✔ read .*\n✔ write .*\n✔ command .*\n✔ result .*\nmodel .*\n\w+ works here\n$/,
    );
    expect(code).toBe(0);
  },
);

test.for(['claude', 'codex', 'gemini'] as const)(
  'doctor --try with %s works where a variable puts the files of the CLI outside the home',
  limit,
  async (cli) => {
    const { code, out, err } = await tryOut(cli, { files: 'elsewhere' });
    expect(out, err).toContain(`${cli} works here\n`);
    expect(code).toBe(0);
  },
);

test.for(names)('doctor --try with %s and without a key names what is missing', limit, async (cli) => {
  // A server that sees no key says so, where the CLI asks it without one.
  const { code, out } = await tryOut(cli, { withoutKey: true, brain: () => refusing(401, 'no key') });
  expect(out).toMatch(/^✕ read /);
  expect(out).toMatch(
    /does not work here: .*(?:none of [A-Z_, ]+ is set|needs [A-Z_]+|[A-Z_]+ is not set).*\n {2}→ (?:sign in: |export )/,
  );
  expect(code).toBe(69);
});

test.for(names)('doctor --try with %s and a key that is refused says so', limit, async (cli) => {
  const { code, out } = await tryOut(cli, { brain: () => refusing(401, 'invalid x-api-key') });
  expect(out).toMatch(/^✕ read /);
  expect(out).toMatch(
    /does not work here: the model refused the key in (\w+): .*\n {2}→ set \1 to a valid key, then try again: tutti doctor --try \w+\n/,
  );
  expect(code).toBe(69);
});

// Gemini says nothing for minutes and asks again.
test.for(['claude', 'codex', 'opencode'] as const)(
  'doctor --try with %s names a usage limit and an overloaded model in the same words',
  limit,
  async (cli) => {
    const limited = await tryOut(cli, { brain: () => refusing(429, 'Rate limit reached for requests') });
    expect(limited.out).toMatch(
      /does not work here: the key or account met a usage limit.*\n {2}→ wait until it is over, use another key in \w+, or name another model: drivers: /,
    );
    expect(limited.code).toBe(69);
    const busy = await tryOut(cli, { brain: () => refusing(529, 'Overloaded') });
    expect(busy.out).toMatch(
      /does not work here: the model's servers are overloaded.*\n {2}→ try again later with tutti doctor --try \w+, or name another model: drivers: /,
    );
    expect(busy.code).toBe(69);
  },
);

test.for(names)('doctor --try with %s and a model that does not exist says so', limit, async (cli) => {
  const { code, out } = await tryOut(cli, {
    brain: ({ model }) => refusing(404, `The model ${model} does not exist`),
  });
  expect(out).toMatch(/^✕ read /);
  expect(out).toMatch(/does not work here: the model .*is not known[\s\S]*→ name another one: .*models/i);
  expect(code).toBe(69);
});

test.for(names)(
  'doctor --try with %s and an executor without a shell says that no command ran',
  limit,
  async (cli) => {
    const { code, out, err } = await tryOut(cli, { agentTools: 'Read, Write, Edit' });
    // Nothing can deny codex a command, so that its turn is refused before it costs anything.
    if (cli === 'codex') {
      expect(err).toContain("agent 'task-executor' cannot run: its tools name Edit or Write but not Bash");
      expect(err).toContain("add Bash to the agent's tools");
    } else {
      expect(out).toMatch(/✕ command /);
    }
    expect(code).toBe(69);
  },
);

test.for(names)(
  'doctor --try with %s and a read-only executor says that nothing was written',
  limit,
  async (cli) => {
    const { code, out } = await tryOut(cli, { agentTools: 'Read, Grep' });
    expect(out).toMatch(/✕ write /);
    expect(out).toContain('does not work here: the agent did not write the file that it was asked for');
    expect(code).toBe(69);
  },
);
