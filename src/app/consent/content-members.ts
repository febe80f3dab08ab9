import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { agentFolders } from '../../drivers/cli-facts.ts';
import { readText } from '../../lib/read-text.ts';
import { isList, isObject, type Json, plain } from '../../lib/json.ts';
import type { Member } from '../../model/members.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';
import type { Surface } from '../../model/trust.ts';
import { linkOutside } from '../../workspace/trust-root.ts';
import { splitFrontMatter } from '../agents/front-matter.ts';
import { flattened } from './setting-members.ts';

const maxBytes = 1024 * 1024;
/** Of a folder; how many more there are is a member of its own. */
const maxFiles = 100;

/**
 * What the files of a surface say: prompts, settings, commands. Empty for text that an agent CLI reads by itself. Of a link out
 * of the repository only where it leads: what lies there is a person's, who may show this list to others. `what` says what
 * becomes of it.
 */
export function contentMembers(
  checkout: string,
  surface: Surface,
  what: 'not used' | 'not shown',
): readonly Member[] {
  if (surface.power === 'tells') return [];
  const full = join(checkout, surface.path);
  const files = filesOf(full, surface);
  const more = files.length - maxFiles;
  const rest = more > 0 ? [{ name: 'not shown', value: `${more} more files` }] : [];
  const members = files.slice(0, maxFiles).flatMap((file) => {
    const outside = linkOutside(checkout, join(full, file));
    const text = readText(join(full, file), { maxBytes, links: 'follow', within: [checkout] });
    const inside = text.ok
      ? membersOfText(text.value, join(full, file))
      : [{ name: 'content', value: `not shown: it ${text.error.message}` }];
    const found = outside === null ? inside : [linkMember(outside, what)];
    return file === '' ? found : found.map((one) => ({ ...one, name: `${file} (${one.name})` }));
  });
  return [...members, ...rest];
}

export function linkMember(outside: string, what: 'not used' | 'not shown'): Member {
  return { name: 'link', value: `to ${outside}, outside the repository: ${what}` };
}

/** The files of a surface, relative to it; the empty name is the surface itself. Of an agent or a skill, those that are loaded. */
function filesOf(full: string, { cli, path }: Surface): readonly string[] {
  const [folder, name] = [basename(dirname(path)), basename(path)];
  const facts = statSync(full, { throwIfNoEntry: false });
  if (facts?.isDirectory() !== true) return [''];
  const loaded = { agents: [`${name}-agent.md`, `${name}.md`], skills: ['SKILL.md'] }[folder];
  if (cli === 'tutti' && loaded !== undefined) {
    const names = readdirSync(full);
    return loaded.filter((file) => names.includes(file));
  }
  if (agentFolders.some((place) => `/${path}`.endsWith(`/${place}`)))
    return readdirSync(full)
      .filter((file) => file.endsWith('.md'))
      .toSorted();
  const below = readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(full, join(entry.parentPath, entry.name)))
    .toSorted();
  return folder === 'compose' ? below.filter(isDefinition) : below;
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
  // Its values may be secrets.
  if (basename(file) === '.env') return [{ name: 'variables', value: variablesIn(text) }];
  if (/\.(?:ya?ml|jsonc?)$/.test(file)) {
    const configuration = parseYaml(text, file);
    if (!configuration.ok) return [{ name: 'text', value: text }];
    const content = plain(configuration.value.value ?? {});
    return turnsIn(content)?.flatMap((turn, at) => turnMembers(turn, at)) ?? flattened('', content);
  }
  if (!file.endsWith('.md')) return [{ name: 'text', value: text }];
  const parts = splitFrontMatter(text);
  const document = parts === null ? null : parseYaml(parts.frontMatter, file);
  if (parts === null || document?.ok !== true) return [{ name: 'prompt', value: text }];
  return [...flattened('', plain(document.value.value ?? {})), { name: 'prompt', value: parts.body }];
}

function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=/gm)].map(([, name = '']) => name);
}

/** The turns of a cassette; null: it is another file. */
function turnsIn(content: Json): readonly Json[] | null {
  const { turns = null } = isObject(content) ? content : {};
  return isList(turns) ? turns : null;
}

/** What a recorded turn does when it is played: the programs that it runs, and the files that it changes. */
function turnMembers(turn: Json, at: number): readonly Member[] {
  if (!isObject(turn)) return [];
  const { files, append, bytes } = turn;
  const written = [files, append, bytes].flatMap((each) => (isObject(each) ? Object.keys(each) : []));
  const name = `turns[${at}]`;
  const acts = Object.entries(turn).filter(([member]) => /^(?:commands|delete|executable)$/.test(member));
  return [
    ...acts.flatMap(([member, value]) => flattened(`${name}.${member}`, value)),
    ...(written.length === 0 ? [] : [{ name: `${name} (writes)`, value: written }]),
  ];
}
