import type { DescribedSurface, DescribedTrust } from '../../app/consent/describe.ts';
import type { ShownCommand } from '../../app/trust/trust.ts';
import { oneLine } from '../../lib/terminal-text.ts';

const shown = 100;
const changes = {
  same: '',
  changed: ', changed since you trusted it',
  new: ', new since you trusted it',
} as const;

/** What a repository brings, one line for each thing: what it is, and what it can do. */
export function trustLines({ repository, surfaces, commands }: DescribedTrust): readonly string[] {
  const name = oneLine(repository, 500);
  if (surfaces.length + commands.length === 0) return [bringsNothing(name)];
  const paths = [...surfaces.map(({ path }) => path), ...(commands.length === 0 ? [] : ['commands'])];
  const width = Math.max(...paths.slice(0, shown).map((path) => oneLine(path, 60).length));
  const rest = surfaces.length - shown;
  return [
    `${name} brings:`,
    ...surfaces.slice(0, shown).map((surface) => surfaceLine(surface, width)),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(commands.length === 0 ? [] : [commandLine(commands, width)]),
  ];
}

export function bringsNothing(name: string): string {
  return `${name} brings nothing that needs to be trusted`;
}

function surfaceLine(surface: DescribedSurface, width: number): string {
  const { path, change, does } = surface;
  const since = change === null ? '' : changes[change];
  const says = does === null ? '' : `: ${oneLine(does, 300)}`;
  return `  ${oneLine(path, 60).padEnd(width)}  ${kindOf(surface)}${says}${since}`;
}

const ownKinds: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)tutti\.yaml$/, 'settings of Tutti'],
  [/(?:^|\/)cassette\.yaml$/, 'recorded turns, which can run programs'],
  [/(?:^|\/)\.worktreeinclude$/, 'ignored files that agents are given'],
  [/(?:^|\/)agents\/[^/]+$/, 'agent: its prompt and its permissions'],
  [/(?:^|\/)skills\/[^/]+$/, 'skill: instructions and scripts for agents'],
  [/(?:^|\/)protocols\/[^/]+$/, 'protocol: prompts and commands'],
  [/(?:^|\/)compose\/[^/]+$/, 'composition: prompts and commands'],
];

const powers = { acts: 'can run programs or grant permissions', tells: 'text for the model' } as const;

function kindOf({ cli, power, path, isForDriver }: DescribedSurface): string {
  if (cli !== 'tutti') return `${cli}: ${powers[power]}`;
  if (isForDriver) return 'settings, servers or turns of a driver, which can run programs';
  return ownKinds.find(([place]) => place.test(path))?.[1] ?? 'flow: commands and prompts';
}

function commandLine(commands: readonly ShownCommand[], width: number): string {
  const words = commands.map(({ command }) => `\`${oneLine(command, 100)}\``).join(', ');
  return `  ${'commands'.padEnd(width)}  run in each workspace: ${words}`;
}
