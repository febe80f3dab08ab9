import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { topicNames } from '../../src/cli/help/topics.ts';
import { knownCommands } from '../../src/cli/commands.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

test('every page is listed by the whole overview and by the index', async () => {
  using folder = tempFolder();
  const { out } = await cli({ folder: folder.path }, 'help', '--all');
  const index = readFileSync(repository('docs/README.md'), 'utf8');
  expect(topicNames().length).toBeGreaterThan(15);
  for (const topic of topicNames().filter((name) => name !== 'topics')) {
    expect(out).toMatch(new RegExp(`  ${topic}(?:\\n|  )`));
    expect(index).toContain(`| [${topic}](${topic}.md) |`);
  }
});

test.for(topicNames())('tutti help prints the page %s for a terminal and as JSON', async (topic) => {
  using folder = tempFolder();
  const options = { folder: folder.path, terminal: [80, 24] as const };
  const typed = knownCommands.includes(topic) ? `${topic}.md` : topic;
  const { out, err, code } = await cli(options, 'help', typed);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).not.toMatch(/^#|\]\(|^\|/m);
  const json = JSON.parse((await cli(options, 'help', typed, '--json')).out) as { text: string };
  expect(json.text).toMatch(/^# /);
});

test('tutti help prints a page by the name that it had in an earlier release', async () => {
  using folder = tempFolder();
  const { out, code } = await cli({ folder: folder.path }, 'help', 'hosted', '--json');
  expect({ code, topic: (JSON.parse(out) as { topic: string }).topic }).toEqual({
    code: 0,
    topic: 'agent-led',
  });
});

test('a word that is no topic is refused with the nearest one and the index', async () => {
  using folder = tempFolder();
  expect(await cli({ folder: folder.path }, 'help', 'driver')).toMatchObject({
    code: 64,
    err: "tutti: there is no help on 'driver'; did you mean 'drivers'?\n  → see all topics: tutti help topics\n",
  });
  expect((await cli({ folder: folder.path }, 'help', 'zzzzzzzz')).err).toMatch(
    /^tutti: there is no help on 'zzzzzzzz'\n/,
  );
});

test('docs/configuration.md names every member of tutti.yaml', () => {
  const schema = JSON.parse(readFileSync(repository('schemas/tutti.schema.json'), 'utf8')) as {
    readonly properties: Readonly<Record<string, unknown>>;
  };
  const page = readFileSync(repository('docs/configuration.md'), 'utf8');
  for (const member of Object.keys(schema.properties)) expect(page).toContain(`| \`${member}\` |`);
});
