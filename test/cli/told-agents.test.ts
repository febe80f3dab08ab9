import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { contentsOf, write } from './project.ts';
import { cli } from './rig.ts';
import { trustProject } from '../rig/trust.ts';

/** Keeps what it was told, or what it was started with. */
const keeps = `#!/bin/sh
cat > told
while [ $# -gt 1 ]; do test "$1" = --append-system-prompt-file && cp "$2" told; shift; done
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'
`;

const config = `driver: plain
drivers:
  plain: { type: command, command: [./keeps] }
  reader: { type: claude, program: ./keeps }
`;

function project(folder: string): string {
  write(folder, {
    'tutti.yaml': config,
    keeps,
    'AGENTS.md': 'Use tabs.\n',
    'agents/poet.md': '---\nskills: [haiku]\n---\nYou are a poet.\n',
    '.claude/skills/haiku/SKILL.md': '---\nname: haiku\ndescription: d\n---\nSeventeen syllables.\n',
    'flow.yaml': 'name: f\nsteps:\n  - { id: write, agent: poet, prompt: Write one. }\n',
  });
  chmodSync(join(folder, 'keeps'), 0o755);
  return folder;
}

async function told(folder: string, ...args: readonly string[]): Promise<string> {
  const { code, err } = await cli({ folder }, 'run', 'flow.yaml', ...args);
  expect([code, err]).toEqual([0, '']);
  return readFileSync(join(folder, 'told'), 'utf8');
}

test('an agent is told its skills and the instructions of the project, and no file of theirs changes', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  const before = contentsOf(folder);
  const text = await told(folder, '--run-id', 'one');
  expect(text).toContain('You are a poet.\n\n## Skill: haiku');
  expect(text).toContain('Seventeen syllables.\n\n## Instructions of the project\n\nUse tabs.\n');
  expect(contentsOf(folder)).toEqual(expect.arrayContaining([...before]));
});

test('a CLI that finds them by itself is told the name of the skill alone, where it may find them', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  writeFileSync(join(folder, 'tutti.yaml'), config.replace('driver: plain', 'driver: reader'));
  // Something for the CLI is new since the rest was trusted, so the CLI is kept from everything.
  const toldKept = async (): Promise<string> => {
    rmSync(join(folder, '.mcp.json'), { force: true });
    trustProject(folder, { HOME: folder });
    write(folder, { '.mcp.json': JSON.stringify({ at: Date.now() }) });
    const without = expect.stringMatching(/^agents work without \.mcp\.json, .*\n$/);
    expect(await cli({ folder, trusts: false }, 'run', 'flow.yaml')).toMatchObject({ code: 0, err: without });
    return readFileSync(join(folder, 'told'), 'utf8');
  };
  expect(await toldKept()).toContain('Seventeen syllables.\n\n## Instructions of the project\n\nUse tabs.\n');
  write(folder, { 'agents/poet.md': '---\nskills: [of-the-person]\n---\nYou are a poet.\n' });
  expect(await toldKept()).toContain('Use the skill "of-the-person".');
  write(folder, { 'agents/poet.md': '---\nskills: [haiku]\n---\nYou are a poet.\n' });
  expect(await told(folder)).toMatch(
    /^You are a poet\.\n\nUse the skill "haiku"\.\n\n## Handing over your result\n/,
  );
});

test('a run keeps the skills and instructions that it started with, until they are asked for anew', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  await told(folder, '--run-id', 'one');
  write(folder, { 'AGENTS.md': 'Use spaces.\n', told: 'nobody was asked' });
  expect(await told(folder, '--run-id', 'one')).toBe('nobody was asked');
  expect(await told(folder, '--run-id', 'one', '--refresh')).toContain('Use spaces.');
});

test('an agent whose skill is not there is refused before anything is made', async () => {
  using temp = tempFolder();
  const folder = project(temp.path);
  write(folder, { 'agents/poet.md': '---\nskills: [gone]\n---\nYou.\n' });
  const before = contentsOf(folder);
  const { code, err } = await cli({ folder }, 'run', 'flow.yaml');
  expect([code, contentsOf(folder)]).toEqual([64, before]);
  expect(err).toMatch(/^tutti: agent poet: there is no skill gone .*\n {2}→ .*tutti doctor\n$/);
  write(folder, { 'task.md': 'Write one.' });
  const session = await cli({ folder }, 'session', 'create', 'poet', 'task.md');
  expect(session.code).toBe(64);
  expect(session.err).toContain('there is no skill gone');
});
