import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Example, specName } from './example.ts';

const slow = { timeout: 300_000 };

/**
 * Bytes of each prompt as commit a95b277 rendered it in the same projects: `tutti plan tiny-duration.md --yes` and
 * `tutti execute`, then the size of `.tutti/sessions/ID/prompt.md` of the planners and of T001, with the paths of the project
 * and of the home folder replaced as below.
 */
const before = {
  example: {
    'logic-architect': 3_220,
    'physical-architect': 3_383,
    'task-author': 2_966,
    'task-plan-verifier': 2_825,
    'plan-auditor': 1_952,
    'task-executor': 4_002,
    'task-verifier': 3_821,
  },
  manyFiles: { 'task-executor': 19_344, 'task-verifier': 19_163 },
};

const manyFiles = Array.from({ length: 500 }, (_, n) => [
  `src/area${n % 22}/module-${n}.js`,
  `export function handle${n}() {}\n${'// filler line of a module\n'.repeat(60)}`,
]);

/** Size of each agent's prompt, as if the project lay in `/p`. */
async function promptBytes(example: Example): Promise<Readonly<Record<string, number>>> {
  await example.done('plan', specName, '--yes');
  await example.done('execute', '--task', 'T001');
  const folder = join(example.path, '.tutti', 'sessions');
  const sizes = readdirSync(folder).map((id) => {
    const { agent } = JSON.parse(readFileSync(join(folder, id, 'state.json'), 'utf8')) as { agent: string };
    const prompt = readFileSync(join(folder, id, 'prompt.md'), 'utf8')
      .replaceAll(example.path, '/p')
      .replaceAll(example.home, '/h');
    return [agent, Buffer.byteLength(prompt)] as const;
  });
  return Object.fromEntries(sizes);
}

test('no agent of the example gets a larger prompt than in the first release', slow, async () => {
  using example = new Example();
  const now = await promptBytes(example);
  for (const [agent, bytes] of Object.entries(before.example)) {
    expect(now[agent], agent).toBeLessThanOrEqual(bytes);
  }
});

test('a task in a project of 500 files has a prompt of at most 0.3 of its first size', slow, async () => {
  using example = new Example({ files: Object.fromEntries(manyFiles) });
  const now = await promptBytes(example);
  for (const [agent, bytes] of Object.entries(before.manyFiles)) {
    expect(now[agent], agent).toBeLessThanOrEqual(0.3 * bytes);
  }
});
