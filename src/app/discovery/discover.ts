import { join } from 'node:path';
import { readText } from '../../lib/read-text.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { ProjectType } from '../../model/plan/plan-record.ts';
import { proposeSetup } from '../../model/project/package-manager.ts';
import { projectCommands } from '../../model/project/project-commands.ts';
import type { ProjectFiles } from '../../model/project/project-files.ts';
import { lookAtProject } from './look-at-project.ts';
import { maxContextBytes, projectContext } from './project-context.ts';
import { rankFiles, type SourceFile } from './rank-files.ts';

export interface Discovered {
  /** What every agent is told of the project: it sees nothing else of it before it looks for itself. */
  readonly projectContext: string;
  readonly testCommands: readonly string[];
}

export interface DiscoveryRequest {
  readonly targetDir: string;
  readonly projectType: ProjectType;
  /** What is to be built: decides which files are worth their place. */
  readonly spec: string;
  /** `workspace.test_commands`; null: what the project's files show. */
  readonly testCommands: readonly string[] | null;
  /** Whether commands that the target's files suggest may be run. */
  readonly countsCommands: (commands: readonly string[]) => boolean;
}

const newProjectContext = 'New project - no existing patterns to follow';

/** Looks at the target. The same files and the same specification give the same text; secrets are taken out. */
export function discover(request: DiscoveryRequest, redactor: Redactor): Discovered {
  const { targetDir, projectType, spec, testCommands, countsCommands } = request;
  if (projectType === 'new') return { projectContext: newProjectContext, testCommands: testCommands ?? [] };
  const project = lookAtProject(targetDir);
  const commands =
    testCommands?.map((command) => ({ kind: 'test', command }) as const) ?? projectCommands(project);
  const ranked = rankFiles(spec, sourceFiles(targetDir, project));
  const text = redactor.text(projectContext(project, commands, ranked));
  const suggested = new Set(projectCommands(project).map(({ command }) => command));
  const mayRun = commands
    .map(({ command }) => command)
    .filter((command) => !suggested.has(command) || countsCommands([command]));
  return { projectContext: cutToSize(text), testCommands: mayRun };
}

/** Commands that a project's own files suggest, to install, test and lint it, as a person would type them. */
export function suggestedCommands(dir: string): readonly string[] {
  const project = lookAtProject(dir);
  const setup = proposeSetup(project).map((argv) => argv.join(' '));
  return [...setup, ...projectCommands(project).map(({ command }) => command)];
}

const source = /\.(?:py|[cm]?tsx?|[cm]?jsx?|go|rs|java|kt|rb|php|c|h|cpp|hpp|cs|swift|sh|sql|vue|svelte)$/;
const mostRead = 1_000;
const maxRead = 64 * 1024;

function sourceFiles(targetDir: string, { entries }: ProjectFiles): readonly SourceFile[] {
  const paths = entries.filter((path) => source.test(path));
  return paths.map((path, index) => {
    const text =
      index < mostRead ? readText(join(targetDir, path), { maxBytes: maxRead, links: 'refuse' }) : null;
    return { path, text: text?.ok === true ? text.value : '' };
  });
}

/** What stands in place of a secret may be longer than the secret. */
function cutToSize(text: string): string {
  const lines = text.split('\n');
  while (Buffer.byteLength(lines.join('\n')) > maxContextBytes) lines.pop();
  return lines.join('\n');
}
