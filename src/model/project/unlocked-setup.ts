import { packageManagers } from './package-manager.ts';
import { projectCommands } from './project-commands.ts';
import { type Argv, hasFile, jsonIn, objectMember, type ProjectFiles, textIn } from './project-files.ts';

/**
 * Commands that would install the dependencies of a project that no lock file names: none of them is run, because they could
 * install anything. Null: no dependencies are named, or a lock file names them. What cargo and go miss they fetch by themselves.
 */
export function proposeUnlocked(project: ProjectFiles): readonly Argv[] | null {
  const [unlocked] = packageManagers(project).filter(({ locks }) => locks.length === 0);
  switch (unlocked?.name) {
    case undefined:
    case 'cargo':
    case 'go':
      return null;
    case 'pip':
      return pipSetup(project);
    case 'uv':
      return namesPythonDependencies(project) ? [['uv', 'sync']] : null;
    case 'poetry':
    case 'pdm':
    case 'pipenv':
      return namesPythonDependencies(project) ? [[unlocked.name, 'install']] : null;
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
    case 'deno':
      return namesNodeDependencies(project) ? [[unlocked.name, 'install']] : null;
  }
}

/** Settings for `tutti.yaml` that run these commands, and the project's own commands with what they install. */
export interface UnlockedSettings {
  readonly yaml: string;
  /** A folder inside the workspace that they make, and that git must ignore; null: they make none. */
  readonly environment: string | null;
  /** Whether the project's own commands change too. */
  readonly changesCommands: boolean;
}

export function unlockedSettings(
  setup: readonly (readonly string[])[],
  testCommands: readonly string[],
): UnlockedSettings {
  const hasEnvironment = setup.some((argv) => argv.join(' ') === makeEnvironment.join(' '));
  const moved = hasEnvironment ? testCommands.map(inEnvironment) : testCommands;
  const changesCommands = moved.some((command, index) => command !== testCommands[index]);
  const lists = setup.map((argv) => `[${argv.map(yamlWord).join(', ')}]`);
  const members = [
    `setup: [${lists.join(', ')}]`,
    ...(changesCommands ? [`test_commands: [${moved.map(yamlWord).join(', ')}]`] : []),
  ];
  return {
    yaml: `workspace: { ${members.join(', ')} }`,
    environment: hasEnvironment ? environment : null,
    changesCommands,
  };
}

const environment = '.venv';
const makeEnvironment: Argv = ['python3', '-m', 'venv', environment];

/** Programs that must see the dependencies. tox and nox make their own environments. */
const pythonTool = /^(?:pytest|ruff|flake8|mypy|pyright)(?= |$)/;

function inEnvironment(command: string): string {
  const bin = `${environment}/bin/`;
  return command.replace(/^python3?(?= )/, `${bin}python`).replace(pythonTool, `${bin}$&`);
}

/** Plain where YAML reads it back as this text inside a list in brackets. */
function yamlWord(word: string): string {
  return /^[\w./-][\w ./=-]*$/.test(word) ? word : JSON.stringify(word);
}

/** Into an environment inside the workspace: the `pip` on PATH would change what belongs to the person. */
function pipSetup(project: ProjectFiles): readonly Argv[] | null {
  const sources = pipSources(project);
  if (sources.length === 0) return null;
  const tools = projectCommands(project).flatMap(({ command }) => pythonTool.exec(command)?.[0] ?? []);
  return [makeEnvironment, [`${environment}/bin/pip`, 'install', ...sources, ...tools]];
}

function pipSources(project: ProjectFiles): readonly string[] {
  const files = ['requirements.txt', 'requirements-dev.txt'].filter((name) => hasFile(project, name));
  if (files.length > 0) return files.flatMap((name) => ['-r', name]);
  if (!namesPythonDependencies(project)) return [];
  const extras = testExtras.filter((name) =>
    new RegExp(`^["']?${name}["']?\\s*=`, 'm').test(tableIn(project, 'project\\.optional-dependencies')),
  );
  return ['-e', extras.length === 0 ? '.' : `.[${extras.join(',')}]`];
}

/** Optional dependencies that a project's own commands usually need. */
const testExtras = ['dev', 'test', 'tests', 'testing'];

function namesNodeDependencies(project: ProjectFiles): boolean {
  const manifest = jsonIn(project, 'package.json');
  const members = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return members.some((name) => Object.keys(objectMember(manifest, name)).length > 0);
}

/** A list in TOML that is not empty; comments may stand before its first text. */
const filledList = String.raw`=\s*\[(?:\s|#.*\n)*["'{]`;

function namesPythonDependencies(project: ProjectFiles): boolean {
  const names = (table: string, line: string): boolean => new RegExp(line, 'm').test(tableIn(project, table));
  return (
    names('project', `^dependencies\\s*${filledList}`) ||
    names('project', `^optional-dependencies.*${filledList}`) ||
    names(
      '(?:project\\.optional-dependencies|dependency-groups|tool\\.pdm\\.dev-dependencies)',
      filledList,
    ) ||
    names('tool\\.uv', `^dev-dependencies\\s*${filledList}`) ||
    // The version of Python stands among what poetry installs.
    names('tool\\.poetry\\.(?:group\\.[^\\]]+\\.|dev-)?dependencies', String.raw`^(?!python\s*=)["'\w].*=`) ||
    /^install_requires\s*=(?:[ \t]*\S|[ \t]*\n[ \t]+\S)/m.test(textIn(project, 'setup.cfg')) ||
    /\binstall_requires\s*=/.test(textIn(project, 'setup.py'))
  );
}

/** The tables of `pyproject.toml` whose name has this shape, each with its header. */
function tableIn(project: ProjectFiles, name: string): string {
  const tables = textIn(project, 'pyproject.toml')
    .replaceAll('\r\n', '\n')
    .split(/^(?=\[[^[\]]+\][ \t]*(?:#.*)?$)/m);
  const wanted = new RegExp(`^\\[\\s*${name}\\s*\\]`);
  return tables.filter((table) => wanted.test(table)).join('');
}
