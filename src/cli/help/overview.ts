import { exitCodes } from '../../model/outcome.ts';
import { shortcuts } from '../arguments-line.ts';
import { commands } from '../commands.ts';
import { examplesText } from '../define-command.ts';
import { topicNames } from './topics.ts';

type Group = readonly [title: string, names: readonly string[]];

/** The groups of both screens of help; docs/cli.md has them too. */
const allGroups: readonly Group[] = [
  ['START', ['init', 'doctor', 'demo', 'build', 'run']],
  ['INSPECT', ['runs', 'status', 'events', 'report', 'costs', 'inbox']],
  ['CONTROL', ['answer', 'resume', 'halt', 'stop']],
  ['PLANS AND SESSIONS', ['plan', 'execute', 'land', 'session']],
  [
    'AGENT-LED PLANS (commands that agents call)',
    ['task', 'bundle', 'checkpoint', 'check-halt', 'confirm-halt', 'halt-status', 'log', 'log-tokens'],
  ],
  ['COMPOSITIONS', ['compose', 'spawn', 'executor', 'orchestrator']],
  ['MAINTENANCE', ['agents', 'config', 'trust', 'allow', 'rebuild', 'recover', 'service', 'completions']],
];

/** The commands that a newcomer needs. A family of workflows adds one line; the first screen has 80 columns and 40 rows. */
const firstCommands: ReadonlySet<string> = new Set(
  'init doctor demo build run status report costs inbox answer resume stop plan execute land session'.split(
    ' ',
  ),
);

const title = 'tutti: turns a specification into verified, merged work with coding agents';

/** What `tutti --help` prints: what it is, and what to type first. */
export function firstOverview(): string {
  return [
    title,
    '',
    'USAGE  tutti COMMAND [ARGUMENTS] [--json]',
    '',
    ...groupLines(groupsOf(firstCommands)),
    examplesText([
      ['tutti demo', 'see it work, without an API key'],
      ['tutti init && tutti doctor --try', 'prove that your agents can work'],
      ['tutti build SPEC.md && tutti land', 'turn a specification into tested code'],
    ]),
    'Options of a command: tutti COMMAND --help',
    'All commands, shortcuts and exit codes: tutti help --all',
    'Documentation: tutti help topics',
    '',
  ].join('\n');
}

/** What `tutti help --all` prints: every command, and every shortcut with what it stands for. */
export function fullOverview(): string {
  return [
    title,
    '',
    'USAGE',
    '  tutti COMMAND [ARGUMENTS] [--json]',
    '  tutti COMMAND --help',
    '  tutti --version',
    '',
    ...groupLines(allGroups),
    'SHORTCUTS',
    ...aligned([...shortcuts].map(([name, words]) => [name, `tutti ${words.join(' ')}`])),
    '',
    examplesText([
      ['tutti status', 'show the newest run'],
      ['tutti inbox && tutti answer Q1 1', 'list open questions and answer one'],
      ['tutti resume', 'continue after a stop, a failure or a reboot'],
    ]),
    'TOPICS (tutti help TOPIC)',
    ...filled(topicNames()),
    '',
    'EXIT CODES',
    ...exitCodeLines(),
    '',
  ].join('\n');
}

function groupsOf(shown: ReadonlySet<string>): readonly Group[] {
  return allGroups
    .map(([heading, names]): Group => [heading, names.filter((name) => shown.has(name))])
    .filter(([, names]) => names.length > 0);
}

function groupLines(groups: readonly Group[]): readonly string[] {
  const width = Math.max(...groups.flatMap(([, names]) => names.map((name) => name.length)));
  return groups.flatMap(([heading, names]) => [
    heading,
    ...aligned(
      names.map((name) => [name, commands[name]?.summary ?? '']),
      width,
    ),
    '',
  ]);
}

function aligned(
  rows: readonly (readonly [name: string, text: string])[],
  width = Math.max(...rows.map(([name]) => name.length)),
): readonly string[] {
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

/** Words in lines of at most 80 columns. */
function filled(words: readonly string[]): readonly string[] {
  const lines = [''];
  for (const word of words) {
    const line = `${lines.at(-1) ?? ''}  ${word}`;
    if (line.length > 80) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

function exitCodeLines(): readonly string[] {
  const cells = Object.entries(exitCodes).map(([name, code]) => `${String(code).padStart(2)} ${name}`);
  const width = Math.max(...cells.map((cell) => cell.length));
  const perLine = 3;
  const lines: string[] = [];
  for (let first = 0; first < cells.length; first += perLine) {
    const line = cells.slice(first, first + perLine).map((cell) => cell.padEnd(width));
    lines.push(`  ${line.join('  ')}`.trimEnd());
  }
  return lines;
}
