import type { Redactor } from '../../../lib/redact.ts';
import type { ProjectType } from '../../../model/plan/plan-record.ts';
import { codeSamples } from './code-samples.ts';
import { configFiles, relevantPart } from './config-files.ts';
import { patternsOf } from './patterns.ts';
import { targetTree } from './target-tree.ts';
import { testCommands } from './test-commands.ts';

const depth = 3;
const mostEntries = 300;
/** How far is looked for names and samples; only the top of it is shown. */
const sampleDepth = 6;

export interface Discovered {
  /** What every agent is told of the project: it sees nothing else of it before it looks for itself. */
  readonly projectContext: string;
  readonly testCommands: readonly string[];
}

const newProjectContext = 'New project - no existing patterns to follow';

/** Looks at the target. The same files give the same text; what looks like a secret is taken out. */
export function discover(targetDir: string, projectType: ProjectType, redactor: Redactor): Discovered {
  if (projectType === 'new') return { projectContext: newProjectContext, testCommands: [] };
  const tree = targetTree(targetDir, depth, mostEntries);
  const { entries } = targetTree(targetDir, sampleDepth, 10 * mostEntries);
  const files = configFiles(targetDir);
  const commands = testCommands(files);
  const patterns = patternsOf(files, entries);
  const samples = codeSamples(targetDir, entries);
  const lines = [
    `Directory: ${targetDir}`,
    'Project Type: existing',
    `Stack: ${patterns.stack}`,
    `Source Layout: ${patterns.sources}`,
    `Test Layout: ${patterns.tests}`,
    '',
    'Key Patterns:',
    ...(patterns.naming === null ? [] : [`- Naming: ${patterns.naming} for files`]),
    ...(commands.length === 0
      ? ['- Tests: no command was found that runs them']
      : commands.map((command) => `- Own tests and linters: \`${command}\``)),
    '- Style: as in the samples below',
    '',
    'Integration Requirements:',
    '- New code must follow the existing structure and conventions',
    '- Do not duplicate what exists; modify or extend it',
    ...commands.map((command) => `- \`${command}\` must pass afterwards`),
    '',
    `Structure (${depth} levels${tree.cut ? `, first ${mostEntries} entries` : ''}):`,
    ...tree.entries.map((path) => `  ${path}`),
    ...files.flatMap((file) => ['', `${file.name}:`, ...fenced(relevantPart(file))]),
    ...samples.flatMap(({ path, text }) => ['', `Sample ${path}:`, ...fenced(text)]),
  ];
  return { projectContext: redactor.text(lines.join('\n')), testCommands: commands };
}

/** What files say is data: it stands behind a mark on every line, so that no line of it can look like ours. */
function fenced(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  | ${line}`);
}
