import type { Command, RouteMap } from '@stricli/core';
import { exitCodes } from '../../model/outcome.ts';
import { examplesText } from '../command.ts';
import type { Context } from '../context.ts';
import { topicNames } from './topics.ts';

export type Group = readonly [title: string, names: readonly string[]];

/** The first thing people see: what it is, what to type, grouped by what they want to do. */
export function overview(
  routes: Readonly<Record<string, Command<Context> | RouteMap<Context>>>,
  groups: readonly Group[],
  shortcuts: ReadonlyMap<string, readonly string[]> | null = null,
): string {
  const width = Math.max(...groups.flatMap(([, names]) => names.map((name) => name.length)));
  const commands = groups.flatMap(([title, names]) => [
    title,
    ...names.map((name) => `  ${name.padEnd(width)}  ${routes[name]?.brief ?? ''}`),
    '',
  ]);
  return [
    'tutti: turns a specification into verified, merged work by conducting many coding agents',
    '',
    'USAGE',
    '  tutti COMMAND [ARGUMENTS] [--json]',
    '  tutti COMMAND --help',
    '  tutti --version',
    '',
    ...commands,
    ...(shortcuts === null ? ['More commands: tutti help --all', ''] : shortcutLines(shortcuts)),
    examplesText([
      ['tutti demo', 'see it work, with no key and no network'],
      ['tutti init && tutti doctor --try', 'set up a project and prove that agents can work in it'],
      ['tutti build SPEC.md && tutti land', 'from a specification to tested code in your checkout'],
      ['tutti status', 'show the newest run'],
      ['tutti inbox && tutti answer Q1 1', 'list open questions and answer one'],
      ['tutti resume', 'continue after a stop, a failure or a reboot'],
    ]),
    'TOPICS (tutti help TOPIC)',
    ...topicLines(),
    '',
    'EXIT CODES',
    ...exitCodeLines(),
    '',
  ].join('\n');
}

function shortcutLines(shortcuts: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const width = Math.max(...[...shortcuts.keys()].map((name) => name.length));
  const lines = [...shortcuts].map(([name, words]) => `  ${name.padEnd(width)}  tutti ${words.join(' ')}`);
  return ['SHORTCUTS', ...lines, ''];
}

/** Names only: the pages say the rest. */
function topicLines(): string[] {
  const lines = [''];
  for (const name of topicNames()) {
    const line = `${lines.at(-1) ?? ''}  ${name}`;
    if (line.length > 100) lines.push(`  ${name}`);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

function exitCodeLines(): string[] {
  const cells = Object.entries(exitCodes).map(([name, code]) => `${String(code).padStart(2)} ${name}`);
  const width = Math.max(...cells.map((cell) => cell.length));
  const perLine = 4;
  const lines: string[] = [];
  for (let first = 0; first < cells.length; first += perLine) {
    const line = cells.slice(first, first + perLine).map((cell) => cell.padEnd(width));
    lines.push(`  ${line.join('  ')}`.trimEnd());
  }
  return lines;
}
