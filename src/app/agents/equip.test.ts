import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { OwnReading } from '../../model/driver.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { equippedPrompt } from './equip.ts';
import { ownProject } from '../../../test/rig/trust.ts';

const claude: OwnReading = { instructions: 'CLAUDE.md', skills: ['.claude/skills'] };

function write(folder: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function prompt(folder: string, skills: readonly string[], reads?: OwnReading): string {
  const equipped = equippedPrompt(
    ownProject(folder),
    { name: 'coder', systemPrompt: 'You code.\n', skills },
    reads,
  );
  return equipped.ok ? equipped.value : problemSentence(equipped.error);
}

const skill = '---\nname: testing\ndescription: How to test\n---\n# Testing\nRun them twice.\n';

test('an agent without skills, in a project without instructions, is told what its file says, byte for byte', () => {
  using folder = tempFolder();
  expect(prompt(folder.path, [])).toBe('You code.\n');
  write(folder.path, 'AGENTS.md', ' \n');
  expect(prompt(folder.path, [])).toBe('You code.\n');
});

test('a skill that the CLI would not find is part of the prompt, without its front matter', () => {
  using folder = tempFolder();
  write(folder.path, 'skills/testing/SKILL.md', skill);
  const text =
    'You code.\n\n## Skill: testing\n\nFiles that it names are in skills/testing of the project.\n\n# Testing\nRun them twice.\n';
  expect(prompt(folder.path, ['testing', 'testing'])).toBe(text);
  expect(prompt(folder.path, ['testing'], claude)).toBe(text);
});

test.each([
  ['skills', null],
  ['.claude/skills', claude],
  ['.agents/skills', { instructions: 'AGENTS.md', skills: ['.agents/skills'] }],
] as const)('a skill in %s is found, and only named to a CLI that reads it there', (place, reader) => {
  using folder = tempFolder();
  write(folder.path, `${place}/testing/SKILL.md`, skill);
  expect(prompt(folder.path, ['testing'])).toContain('Run them twice.');
  if (reader !== null)
    expect(prompt(folder.path, ['testing'], reader)).toBe('You code.\n\nUse the skill "testing".\n');
});

test('a skill that the project does not have is refused, unless the CLI may have it from elsewhere', () => {
  using folder = tempFolder();
  expect(prompt(folder.path, ['gone'])).toBe(
    'agent coder: there is no skill gone (looked for skills/gone/SKILL.md, .claude/skills/gone/SKILL.md, .agents/skills/gone/SKILL.md)',
  );
  expect(prompt(folder.path, ['gone'], claude)).toBe('You code.\n\nUse the skill "gone".\n');
});

test('AGENTS.md is told to a CLI that does not read it, and to no other', () => {
  using folder = tempFolder();
  write(folder.path, 'AGENTS.md', '# Ours\nUse tabs.\n');
  expect(prompt(folder.path, [])).toBe('You code.\n\n## Instructions of the project\n\n# Ours\nUse tabs.\n');
  expect(prompt(folder.path, [], claude)).toBe('You code.\n');
});

const codex: OwnReading = { instructions: 'AGENTS.md', skills: [] };

test.for([
  [
    'both files, different',
    'Use tabs.',
    'Be brief.',
    ['Use tabs.', 'Be brief.'],
    ['Use tabs.'],
    ['Be brief.'],
  ],
  ['the same text twice', 'Use tabs.', 'Use tabs.', ['Use tabs.'], [], []],
  [
    'CLAUDE.md that includes AGENTS.md',
    'Use tabs.',
    '@AGENTS.md\nBe brief.',
    ['Use tabs.', 'Be brief.'],
    [],
    ['Be brief.'],
  ],
  ['CLAUDE.md alone', null, 'Be brief.', ['Be brief.'], [], ['Be brief.']],
  ['AGENTS.md alone', 'Use tabs.', null, ['Use tabs.'], [], []],
] as const)(
  'AGENTS.md and CLAUDE.md reach every agent once: %s',
  ([, agents, claudeMd, plain, toClaude, toCodex]) => {
    using folder = tempFolder();
    if (agents !== null) write(folder.path, 'AGENTS.md', agents);
    if (claudeMd !== null) write(folder.path, 'CLAUDE.md', claudeMd);
    const told = (texts: readonly string[]): string =>
      ['You code.', ...(texts.length === 0 ? [] : ['## Instructions of the project', ...texts])].join('\n\n');
    expect(prompt(folder.path, []).trimEnd()).toBe(told(plain));
    expect(prompt(folder.path, [], claude).trimEnd()).toBe(told(toClaude));
    expect(prompt(folder.path, [], codex).trimEnd()).toBe(told(toCodex));
  },
);

test('instructions of the root of the repository above the project reach agents too, each once', () => {
  using folder = tempFolder();
  write(folder.path, '.git/HEAD', 'ref: refs/heads/main\n');
  write(folder.path, 'AGENTS.md', 'Root agents.\n');
  write(folder.path, 'CLAUDE.md', 'Root claude.\n');
  write(folder.path, 'shop/CLAUDE.md', 'Shop claude.\n');
  write(folder.path, 'shop/AGENTS.md', 'Root agents.\n');
  const project = join(folder.path, 'shop');
  const told = (...texts: readonly string[]) =>
    `You code.\n\n## Instructions of the project\n\n${texts.join('\n\n')}\n`;
  expect(prompt(project, [])).toBe(told('Root agents.', 'Root claude.', 'Shop claude.'));
  // What a CLI reads by itself it also reads above the folder that it works in.
  expect(prompt(project, [], claude)).toBe(told('Root agents.'));
  expect(prompt(project, [], { instructions: 'AGENTS.md', skills: [] })).toBe(
    told('Root claude.', 'Shop claude.'),
  );
});

test('hostile names and files are one sentence, and nothing outside the project is read', () => {
  using folder = tempFolder();
  using outside = tempFolder();
  write(outside.path, 'testing/SKILL.md', 'a secret');
  write(outside.path, 'AGENTS.md', 'a secret');
  mkdirSync(join(folder.path, 'skills'));
  symlinkSync(join(outside.path, 'testing'), join(folder.path, 'skills/testing'));
  for (const name of ['../testing', 'a/../b', '', 'x\0y', '.', 'a'.repeat(65)]) {
    expect(prompt(folder.path, [name])).toMatch(/^agent coder: .* is no name for a skill/);
  }
  expect(prompt(folder.path, ['testing'])).toBe(
    `agent coder: skill testing: "skills/testing/SKILL.md" leads outside ${folder.path}`,
  );
  write(folder.path, 'skills/bytes/SKILL.md', new Uint8Array([0xc3, 0x28]));
  write(folder.path, 'skills/nul/SKILL.md', 'a\0b');
  write(folder.path, 'skills/open/SKILL.md', '---\nname: open\n');
  write(folder.path, 'skills/huge/SKILL.md', 'x'.repeat(65 * 1024));
  mkdirSync(join(folder.path, 'skills/folder/SKILL.md'), { recursive: true });
  expect(prompt(folder.path, ['bytes'])).toContain('is not UTF-8 text');
  expect(prompt(folder.path, ['nul'])).toContain('may not contain NUL');
  expect(prompt(folder.path, ['open'])).toContain('is never closed');
  expect(prompt(folder.path, ['huge'])).toContain('is larger than 65536 bytes');
  expect(prompt(folder.path, ['folder'])).toContain('is a directory');
  symlinkSync(join(outside.path, 'AGENTS.md'), join(folder.path, 'AGENTS.md'));
  expect(prompt(folder.path, [])).toBe(`agent coder: "AGENTS.md" leads outside ${folder.path}`);
});

test('an AGENTS.md that no process could be given is refused', () => {
  using folder = tempFolder();
  write(folder.path, 'AGENTS.md', 'a\0b');
  expect(prompt(folder.path, [])).toBe('agent coder: AGENTS.md may not contain NUL');
});
