import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../lib/package-files.ts';

const folder = packageFile('docs');

/** The index of all topics is a page too. */
const indexTopic = 'topics';

/** Names of pages in earlier releases. */
const formerNames: ReadonlyMap<string, string> = new Map([['hosted', 'agent-led']]);

/** Names that `tutti help TOPIC` accepts besides commands. */
export function topicNames(): readonly string[] {
  if (!existsSync(folder)) return [];
  const pages = readdirSync(folder).flatMap((file) => /^([a-z-]+)\.md$/.exec(file)?.[1] ?? []);
  return [indexTopic, ...pages.toSorted()];
}

/** Topic of what a person typed: `drivers`, `drivers.md` or `docs/drivers.md`. Null for anything else. */
export function findTopic(typed: string): string | null {
  const name = typed.replace(/^docs\//, '').replace(/\.md$/, '');
  return topicNames().find((topic) => topic === (formerNames.get(name) ?? name)) ?? null;
}

/** Markdown of a topic that `topicNames` lists. */
export function readTopic(topic: string): string {
  return readFileSync(join(folder, topic === indexTopic ? 'README.md' : `${topic}.md`), 'utf8');
}
