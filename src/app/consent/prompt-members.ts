import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { agentFolders } from '../../drivers/cli-facts.ts';
import { plain } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { Member } from '../../model/members.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';
import { linkOutside } from '../../workspace/trust-root.ts';
import { splitFrontMatter } from '../agents/front-matter.ts';
import { flattened } from './setting-members.ts';

const maxBytes = 1024 * 1024;

/**
 * What the agents, skills, templates and compositions of a surface say. Empty for any other surface. Of a link out of the
 * repository only where it leads: what lies there is a person's, who may show this list to others. `what` says what becomes of it.
 */
export function promptMembers(
  checkout: string,
  path: string,
  what: 'not used' | 'not shown',
): readonly Member[] {
  const full = join(checkout, path);
  return filesOf(full, path).flatMap((file) => {
    const outside = linkOutside(checkout, join(full, file));
    const text = readText(join(full, file), { maxBytes, links: 'follow', within: [checkout] });
    const inside = text.ok ? membersOfText(text.value, join(full, file)) : [];
    const members = outside === null ? inside : [linkMember(outside, what)];
    return file === '' ? members : members.map((one) => ({ ...one, name: `${file} (${one.name})` }));
  });
}

export function linkMember(outside: string, what: 'not used' | 'not shown'): Member {
  return { name: 'link', value: `to ${outside}, outside the repository: ${what}` };
}

/** The files of a surface that hold prompts, relative to it; the empty name is the surface itself. */
function filesOf(full: string, path: string): readonly string[] {
  const [folder, name] = [basename(dirname(path)), basename(path)];
  const facts = statSync(full, { throwIfNoEntry: false });
  if (facts?.isDirectory() !== true) {
    const isPrompt = ['agents', 'templates'].includes(folder) && name.endsWith('.md');
    return isPrompt || (folder === 'compose' && isDefinition(name)) ? [''] : [];
  }
  if (folder === 'compose')
    return readdirSync(full, { recursive: true, encoding: 'utf8' }).filter(isDefinition).toSorted();
  const names = readdirSync(full).toSorted();
  if (agentFolders.some((place) => `/${path}`.endsWith(`/${place}`)))
    return names.filter((file) => file.endsWith('.md'));
  const loaded = { agents: [`${name}-agent.md`, `${name}.md`], skills: ['SKILL.md'] }[folder] ?? [];
  return loaded.filter((file) => names.includes(file));
}

/** A file of a composition: a prompt, or a configuration with its commands. */
function isDefinition(file: string): boolean {
  return /\.(?:md|ya?ml|json)$/.test(file);
}

/**
 * The front matter, such as `driver`, `tools` and `allow`, and the prompt; of a configuration every member; all of the text where
 * they cannot be told apart.
 */
function membersOfText(text: string, file: string): readonly Member[] {
  if (!file.endsWith('.md')) {
    const configuration = parseYaml(text, file);
    if (!configuration.ok) return [{ name: 'text', value: text }];
    return flattened('', plain(configuration.value.value ?? {}));
  }
  const parts = splitFrontMatter(text);
  const document = parts === null ? null : parseYaml(parts.frontMatter, file);
  if (parts === null || document?.ok !== true) return [{ name: 'prompt', value: text }];
  return [...flattened('', plain(document.value.value ?? {})), { name: 'prompt', value: parts.body }];
}
