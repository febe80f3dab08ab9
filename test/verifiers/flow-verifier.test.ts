import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lines, untilEnded } from '../e2e/project.ts';
import { tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** The author says done whatever it did; it writes what it is told to write only when it is healed. */
const author = `grep -q 'does not accept' && echo good > work || echo draft > work
echo author >> ledger
echo '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
`;

/** Verifiers that play one part each. */
const verifiers = {
  strict: `grep -q good work && echo '{"status":"success","summary":"fine"}' > "$TUTTI_RESULT" ||
echo '{"status":"failed","summary":"it is a draft","notes":["work:1: draft"]}' > "$TUTTI_RESULT"`,
  meddling: `echo meddled >> work; echo '{"status":"success","summary":"fine"}' > "$TUTTI_RESULT"`,
  asking: `grep -q 'Answer: yes' seen-by-verifier && echo '{"status":"success","summary":"fine"}' > "$TUTTI_RESULT" ||
echo '{"status":"success","summary":"?","questions":[{"text":"May it be a draft?"}]}' > "$TUTTI_RESULT"`,
  silent: 'true',
  crashing: 'exit 7',
  never: `echo '{"status":"failed","summary":"never good enough"}' > "$TUTTI_RESULT"`,
} as const;

function writeVerified(folder: string, part: keyof typeof verifiers): void {
  writeProject(folder, {
    'author.sh': author,
    'verifier.sh': `cat > "seen-by-verifier"\necho verifier >> ledger\n${verifiers[part]}\n`,
    '.claude/agents/reviewer.md': '---\nname: reviewer\n---\nYou review.\n',
    '.claude/agents/author.md': '---\nname: author\n---\nYou write.\n',
    'agent.sh': 'case $TUTTI_AGENT in reviewer) exec sh verifier.sh ;; *) exec sh author.sh ;; esac\n',
    'flow.yaml': {
      steps: [
        {
          id: 'write',
          agent: 'author',
          prompt: 'Write the work.',
          gates: [{ file: 'work' }, { verifier: 'reviewer' }],
        },
      ],
    },
    'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'command', command: ['sh', 'agent.sh'] } } },
  });
}

test('what a verifier does not accept heals the step, and its word counts, not that of the author', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeVerified(path, 'strict');
  const run = await tutti(path, 'run', 'flow.yaml');
  expect(run.code, run.stderr).toBe(0);
  expect(lines(join(path, 'ledger'))).toEqual(['author', 'verifier', 'author', 'verifier']);
  expect(lines(join(path, 'work'))).toEqual(['good']);
  expect(lines(join(path, 'seen-by-verifier')).join('\n')).toContain('Write the work.');
});

test('a verifier that never accepts fails the step once nothing changes', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeVerified(path, 'never');
  const run = await tutti(path, 'run', 'flow.yaml');
  expect(run.code).not.toBe(0);
  expect(`${run.stdout}${run.stderr}`).toContain('never good enough');
  const session = /read what its verifier printed: tutti logs (\S+)/.exec(run.stdout)?.[1] ?? '';
  expect((await tutti(path, 'session', 'status', session)).stdout).toMatch(/^Task: write\/.*verify/m);
});

test.for(['silent', 'crashing'] as const)(
  'work whose verifier is %s is not accepted: a person is asked, and the author is not paid again',
  async (part) => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    writeVerified(path, part);
    const run = await tutti(path, 'run', 'flow.yaml', '--run-id', 'r');
    expect(run.code, run.stdout).toBe(3);
    const inbox = await tutti(path, 'inbox');
    expect(inbox.stdout).toMatch(/write: the verifier gave no verdict[^]*fail the step\?/);
    // The verifier's last words, below the command that prints all of them.
    const session = /\$ tutti logs (\S+)\n +\S/.exec(inbox.stdout)?.[1] ?? '';
    expect((await tutti(path, 'session', 'status', session)).stdout).toMatch(/^Task: write\/.*verify/m);
    expect(lines(join(path, 'ledger'))).toEqual(['author', 'verifier', 'verifier']);
  },
);

test('a verdict about files that the verifier changed does not count', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeVerified(path, 'meddling');
  const run = await tutti(path, 'run', 'flow.yaml', '--run-id', 'r');
  expect(run.code, run.stdout).toBe(3);
  expect(run.stdout).toContain('files changed while it judged, so its verdict does not count');
  expect(lines(join(path, 'ledger'))).toEqual(['author', 'verifier', 'verifier']);
});

test('what a verifier asks goes to the inbox, and its verdict comes after the answer', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeVerified(path, 'asking');
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r')).code).toBe(3);
  expect((await tutti(path, 'inbox')).stdout).toContain('May it be a draft?');
  const answered = await tutti(path, 'answer', 'Q1', 'yes');
  expect(answered.code, answered.stderr).toBe(0);
  expect(await untilEnded(path, 'r')).toMatchObject({ outcome: 'SUCCESS' });
  expect(lines(join(path, 'ledger'))).toEqual(['author', 'verifier', 'verifier']);
});

test('an agent does not verify its own step', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeVerified(path, 'strict');
  const step = { id: 'a', agent: 'author', prompt: 'x', gates: [{ verifier: 'author' }] };
  writeProject(path, { 'flow.yaml': { steps: [step] } });
  const run = await tutti(path, 'run', 'flow.yaml');
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('must be another agent than that of the step');
});

test('a flow that names a verifier that does not exist is refused before anything starts', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeVerified(path, 'strict');
  writeProject(path, {
    'flow.yaml': { steps: [{ id: 'a', command: ['touch', 'ran'], gates: [{ verifier: 'reviewr' }] }] },
  });
  const run = await tutti(path, 'run', 'flow.yaml');
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('reviewr');
  expect(lines(join(path, 'ledger'))).toEqual([]);
});
