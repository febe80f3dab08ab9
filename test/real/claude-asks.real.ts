import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { modelServer } from '../rig/model-server.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { claudeHome } from './claude-home.ts';
import { claudeProgram } from './claude-program.ts';

const client = repository('src/drivers/claude/client/claude-client.ts');
const flags =
  '-p --output-format stream-json --verbose --permission-mode default --input-format stream-json --permission-prompt-tool stdio';

test.each([
  ['allow', true],
  ['deny', false],
] as const)('real claude asks before it runs a command, and %s decides', async (word, isRun) => {
  const program = await claudeProgram();
  using folder = tempFolder();
  const input = { command: 'echo hi > made.txt', description: 'x' };
  await using server = await modelServer([
    { steps: [{ tools: [{ name: 'Bash', input }] }, { text: 'done' }] },
  ]);
  const work = join(folder.path, 'work');
  mkdirSync(work);
  writeFileSync(join(folder.path, 'said.md'), 'do it');
  const args = [client, join(folder.path, 'said.md'), program, ...flags.split(' ')];
  const env = claudeHome(folder.path, work, server);
  const child = spawn(process.execPath, args, { cwd: work, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const asked: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('"type":"waiting"')) return;
    asked.push(line);
    child.stdin.write(`${word} 1\n`);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('permission to use Bash: echo hi > made.txt');
  expect(existsSync(join(work, 'made.txt'))).toBe(isRun);
});
