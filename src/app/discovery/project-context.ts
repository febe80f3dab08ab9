import { demandLine } from '../../model/plan/context-demands.ts';
import { packageManagers } from '../../model/project/package-manager.ts';
import type { ProjectCommand } from '../../model/project/project-commands.ts';
import { jsonIn, type ProjectFiles, textIn } from '../../model/project/project-files.ts';
import { patternsOf } from './patterns.ts';
import { isTestPath, type RankedFile } from './rank-files.ts';

/** The most that every agent is given about the project, in bytes: it can look at the rest by itself. */
export const maxContextBytes = 8_000;

/** Each part has its own ceiling, so that none crowds out those after it. What one leaves over, samples may use. */
const allowance = { paths: 1_500, folders: 900, manifest: 1_600 } as const;
const maxLine = 200;
const sampleChars = 1_000;
const mostSamples = 4;
const mostCommands = 8;

/** What every agent is told about an existing project: facts first, then what the specification is about. */
export function projectContext(
  project: ProjectFiles,
  commands: readonly ProjectCommand[],
  ranked: readonly RankedFile[],
): string {
  const lines = [
    ...factLines(project, commands),
    ...section(
      'Files closest to the specification, most relevant first:',
      allowance.paths,
      relevantPaths(ranked),
    ),
    ...section(
      'Folders, with the number of files below each:',
      allowance.folders,
      folderLines(project.entries),
    ),
    ...manifestLines(project),
  ];
  let bytes = sizeOf(lines);
  for (const { path, excerpt } of samplesOf(ranked)) {
    const sample = ['', `Sample ${path}:`, ...quoted(excerpt.slice(0, sampleChars).trimEnd())];
    if (bytes + sizeOf(sample) > maxContextBytes) continue;
    lines.push(...sample);
    bytes += sizeOf(sample);
  }
  return lines.join('\n');
}

function factLines(project: ProjectFiles, found: readonly ProjectCommand[]): readonly string[] {
  const patterns = patternsOf(project);
  const commands = found
    .slice(0, mostCommands)
    .map(({ kind, command }) => ({ kind, command: short(command) }));
  return [
    'Project Type: existing',
    short(`Stack: ${patterns.stack}`),
    ...packageManagers(project).map(({ name, locks, setup }) => {
      const how = setup === null ? '' : `, installed with \`${setup.join(' ')}\``;
      return `Package Manager: ${name}${locks.length === 0 ? '' : ` (${locks.join(', ')})`}${how}`;
    }),
    short(`Source Layout: ${patterns.sources}`),
    short(`Test Layout: ${patterns.tests}`),
    '',
    'Key Patterns:',
    ...(patterns.naming === null ? [] : [`- Naming: ${patterns.naming} for files`]),
    ...(commands.length === 0
      ? ['- Tests: no command was found that runs them']
      : commands.map(({ kind, command }) => `- Own ${kindWords[kind]}: \`${command}\``)),
    '- Style: as in the samples below',
    '',
    'Integration Requirements:',
    '- New code must follow the existing structure and conventions',
    '- Do not duplicate what exists; modify or extend it',
    ...commands.map(({ command }) => demandLine(command)),
  ];
}

const kindWords = { test: 'tests', lint: 'linter', types: 'type check' } as const;

function relevantPaths(ranked: readonly RankedFile[]): readonly string[] {
  return ranked.filter(({ score }) => score > 0).map(({ path }) => `  ${path}`);
}

/** Folders of two levels; files of the root by name. */
function folderLines(entries: readonly string[]): readonly string[] {
  const files = entries.filter((path) => !path.endsWith('/'));
  const counts = new Map<string, number>();
  for (const path of files) {
    const parts = path.split('/').slice(0, -1);
    for (const level of [1, 2]) {
      if (parts.length < level) continue;
      const folder = `${parts.slice(0, level).join('/')}/`;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const root = files.filter((path) => !path.includes('/'));
  const largest = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return [...largest.map(([folder, count]) => `  ${folder} (${count})`), ...root.map((path) => `  ${path}`)];
}

const members = [
  'type',
  'main',
  'bin',
  'engines',
  'packageManager',
  'scripts',
  'dependencies',
  'devDependencies',
];

/** The part of the first manifest that a planner needs: what is depended on, and what can be run. */
function manifestLines(project: ProjectFiles): readonly string[] {
  const name = [
    'package.json',
    'deno.json',
    'deno.jsonc',
    'pyproject.toml',
    'Cargo.toml',
    'go.mod',
    'Makefile',
  ].find((each) => textIn(project, each) !== '');
  if (name === undefined) return [];
  const json = name === 'package.json' ? jsonIn(project, name) : null;
  const part =
    json === null
      ? null
      : Object.fromEntries(members.flatMap((each) => (each in json ? [[each, json[each]]] : [])));
  return section(
    `${name}:`,
    allowance.manifest,
    quoted(part === null ? textIn(project, name) : JSON.stringify(part, null, 1)),
  );
}

/** The files closest to the specification and the closest test, so that planners see how the project writes. */
function samplesOf(ranked: readonly RankedFile[]): readonly RankedFile[] {
  const filled = ranked.filter(({ excerpt }) => excerpt.trim() !== '');
  const plain = filled.filter(({ path }) => !isTestPath(path)).slice(0, mostSamples - 1);
  return [...plain, ...filled.filter(({ path }) => isTestPath(path)).slice(0, 1)];
}

/** A heading with as many lines as fit below it; nothing without any. */
function section(heading: string, most: number, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.map(short)) {
    bytes += sizeOf([line]);
    if (bytes > most) break;
    kept.push(line);
  }
  return [
    '',
    heading,
    ...kept,
    ...(kept.length < lines.length ? [`  … and ${lines.length - kept.length} more`] : []),
  ];
}

/** What files say is data: it stands behind a mark on every line, so that no line of it can look like ours. */
function quoted(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => short(`  | ${line}`));
}

function short(line: string): string {
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
