import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

const secret = 'the-secret-of-the-person';
const flow = `name: f\nsteps:\n  - { id: work, agent: task-executor, prompt: ${secret} }\n`;
const places = {
  'agents/n.md': 'note.md',
  'agents/group/group.md': 'note.md',
  'skills/s': 'skill',
  'skills/t/SKILL.md': 'note.md',
  'templates/research.md': 'note.md',
  'compose/executors/n.md': 'note.md',
  'flows/linked.yaml': 'flow.yaml',
  '.claude/agents/n.md': 'note.md',
};

/** A repository whose files of these names are links to another folder. */
function stage(path: string, outside: string): { readonly repo: string; readonly options: CliOptions } {
  const repo = join(path, 'repo');
  write(outside, {
    'note.md': `${secret}\n`,
    'skill/SKILL.md': `${secret}\n`,
    'flow.yaml': flow,
    'tutti.yaml': `${secret}: 1\n`,
  });
  write(repo, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'flows/prompt.yaml': `name: p\nsteps:\n  - { id: work, agent: task-executor, prompt_file: ${join(outside, 'note.md')} }\n`,
  });
  for (const [name, target] of Object.entries(places)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true });
    symlinkSync(join(outside, target), join(repo, name));
  }
  return { repo, options: { folder: repo, env: { HOME: join(path, 'home') } } };
}

test.for(['', '--json'])(
  'trust --show %j names where links out of the repository lead, and shows nothing of what lies there',
  async (flag) => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    const { options } = stage(path, join(path, 'outside'));
    const shown = await cli(options, 'trust', '--show', ...[flag].filter(Boolean));
    expect(shown.out + shown.err).not.toContain(secret);
    for (const name of ['note.md', 'skill', 'flow.yaml'])
      expect(shown.out).toContain(`to ${join(path, 'outside', name)}, outside the repository: not `);
    // The control: links that stay inside the repository are shown with what they lead to.
    using other = tempFolder();
    const inside = realpathSync(other.path);
    const control = stage(inside, join(inside, 'repo/lib'));
    expect(
      (await cli(control.options, 'trust', '--show', ...[flag].filter(Boolean))).out.split(secret).length,
    ).toBeGreaterThan(7);
  },
);

test('an agent behind a link out of the repository is not used once trusted, and a changed link is asked again', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const { repo, options } = stage(path, join(path, 'outside'));
  expect(await cli(options, 'trust', '--yes')).toMatchObject({ code: 0 });
  expect((await cli(options, 'trust', '--show', '--json')).out).not.toContain('"change":"new"');
  write(repo, { 'tutti.yaml': '{}\n', 'task.md': 'Do it.\n' });
  await cli(options, 'trust', '--yes');
  const used = await cli(options, 'session', 'create', 'n', 'task.md');
  expect(used.code).toBe(64);
  expect(used.err).toContain(`agents/n.md" leads outside ${repo}`);
  writeFileSync(join(path, 'outside/note.md'), 'other\n');
  expect((await cli(options, 'trust', '--show')).out).toMatch(/agents\/n\.md .*changed/);
});

test('a tutti.yaml behind a link out of the repository is refused, with no line of it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const { repo, options } = stage(path, join(path, 'outside'));
  symlinkSync(join(path, 'outside/tutti.yaml'), join(repo, 'tutti.yaml'));
  for (const args of [['status'], ['config'], ['doctor'], ['trust', '--show']]) {
    const { out, err } = await cli(options, ...args);
    expect(out + err).not.toContain(secret);
  }
  const refused = await cli(options, 'config');
  expect(refused.err).toContain(`is a link to ${join(path, 'outside/tutti.yaml')}, outside the repository`);
});
