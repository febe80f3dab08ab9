import type { DescribedSurface, DescribedTrust } from '../../app/consent/describe.ts';
import type { ShownCommand } from '../../app/trust/trust.ts';
import { cutText, visibleLine, visibleWord } from '../../lib/visible-text.ts';
import type { Member } from '../../model/members.ts';

const changes = {
  same: '',
  changed: ', changed since you trusted it',
  new: ', new since you trusted it',
} as const;

/**
 * What a repository brings, one line for each thing and each of its members: nothing long can push another out of sight. What
 * is new or has changed comes first; `news`: only that, where a person
 * trusted the rest before.
 */
export function trustLines(trust: DescribedTrust, which: 'all' | 'news'): readonly string[] {
  const { checkout, trustedAt, surfaces, commands } = trust;
  const name = cutText(checkout, 500, visibleLine);
  if (surfaces.length + commands.length === 0) return [bringsNothing(name)];
  const isWhole = which === 'all' || trustedAt === null;
  const shown = newsFirst(surfaces, isWhole);
  const shownCommands = newsFirst(commands, isWhole);
  const left = surfaces.length + commands.length - shown.length - shownCommands.length;
  const width = Math.min(Math.max(...shown.map(({ path }) => shownPath(path).length), 0), 60);
  return [
    `Settings and commands in ${name}:`,
    ...shown.flatMap((surface) => [surfaceLine(surface, width), ...surface.members.map(memberLine)]),
    ...(shownCommands.length === 0 ? [] : commandLines(shownCommands)),
    ...(left === 0
      ? []
      : [`  ${left} more ${left === 1 ? 'is' : 'are'} trusted as before: tutti trust --show`]),
  ];
}

function newsFirst<Shown extends { readonly change: string | null }>(
  all: readonly Shown[],
  isWhole: boolean,
): readonly Shown[] {
  const news = all.filter(({ change }) => change !== 'same');
  return isWhole ? [...news, ...all.filter(({ change }) => change === 'same')] : news;
}

/** Why a run that no process advances cannot continue yet, and what comes first; empty: everything is trusted. */
export function distrustLines(distrust: string | null): readonly string[] {
  return distrust === null ? [] : [`  ${distrust}`, '  → trust it first: tutti trust'];
}

export function bringsNothing(name: string): string {
  return `${name} brings nothing that needs to be trusted`;
}

function shownPath(path: string): string {
  return cutText(path, shownOfWord, visibleLine);
}

function surfaceLine(surface: DescribedSurface, width: number): string {
  const { path, change } = surface;
  const since = change === null ? '' : changes[change];
  return `  ${shownPath(path).padEnd(width)}  ${kindOf(surface)}${since}`;
}

const shownOfName = 100;
const shownOfWord = 200;
/** A prompt is read, and its end counts as much as its beginning. */
const shownOfText = 1000;

/** Each word has a cut of its own, so that a long one hides no other. A name cannot look like the end of another member. */
export function memberLine({ name, value }: Member): string {
  const isText = typeof value !== 'object' || value === null;
  const [max, words] = isText ? [shownOfText, [value]] : [shownOfWord, value];
  const shown = words.map((word) => cutText(String(word), max, visibleWord));
  return `    ${cutText(name, shownOfName, visibleName)}: ${shown.join(' ')}`;
}

function visibleName(name: string): string {
  return /^[\w .()[\]/-]+$/.test(name) ? name : visibleWord(name);
}

const ownKinds: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)tutti\.yaml$/, 'settings of Tutti'],
  [/(?:^|\/)cassette\.yaml$/, 'recorded turns, which can run programs'],
  [/(?:^|\/)\.worktreeinclude$/, 'ignored files that agents are given'],
  [/(?:^|\/)agents\/[^/]+$/, 'agent: its prompt and its permissions'],
  [/(?:^|\/)skills\/[^/]+$/, 'skill: instructions and scripts for agents'],
  [/(?:^|\/)templates\/[^/]+$/, 'template: prompts for sessions'],
  [/(?:^|\/)protocols\/[^/]+$/, 'protocol: prompts and commands'],
  [/(?:^|\/)compose\/[^/]+$/, 'composition: prompts and commands'],
];

const powers = { acts: 'can run programs or grant permissions', tells: 'text for the model' } as const;

function kindOf({ cli, power, path, namedBy }: DescribedSurface): string {
  if (cli !== 'tutti') return `${cli}: ${powers[power]}`;
  if (namedBy === 'driver') return 'settings, servers or turns of a driver, which can run programs';
  const own = ownKinds.find(([place]) => place.test(path))?.[1];
  return own ?? (namedBy === 'flow' ? 'prompt of a flow' : 'flow: commands and prompts');
}

function commandLines(commands: readonly ShownCommand[]): readonly string[] {
  return [
    '  commands that run in each workspace',
    ...commands.map(({ command, change }) => {
      return `    ${cutText(command, shownOfWord, visibleLine)}${change === null ? '' : changes[change]}`;
    }),
  ];
}
