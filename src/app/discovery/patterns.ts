import { isTestPath } from './rank-files.ts';
import { jsonIn, manifestNames, type ProjectFiles, textIn } from '../../model/project/project-files.ts';

/** What a person would say of the project after a first look; only what the files show. */
export interface Patterns {
  readonly stack: string;
  readonly sources: string;
  readonly tests: string;
  readonly naming: string | null;
}

export function patternsOf(project: ProjectFiles): Patterns {
  const { entries } = project;
  const folders = (names: readonly string[]) =>
    names.filter((name) => entries.includes(`${name}/`)).map((name) => `${name}/`);
  const sources = folders(['src', 'lib', 'app', 'pkg', 'cmd', 'internal']);
  const tests = folders(['tests', 'test', 'spec', '__tests__']);
  const beside = entries.find(
    (path) => isTestPath(path) && !path.endsWith('/') && !tests.some((folder) => path.startsWith(folder)),
  );
  return {
    stack: stackOf(project),
    sources: sources.length > 0 ? sources.join(', ') : 'no source folder; files lie in the root',
    tests:
      [
        ...tests,
        ...(beside === undefined
          ? []
          : [beside.includes('/') ? `tests beside sources (${beside})` : `${beside} in the root`]),
      ].join(', ') || 'none found',
    naming: namingOf(entries),
  };
}

const stacks: Readonly<Partial<Record<(typeof manifestNames)[number], string>>> = {
  'package.json': 'Node.js',
  'deno.json': 'Deno',
  'deno.jsonc': 'Deno',
  'pyproject.toml': 'Python',
  'Cargo.toml': 'Rust',
  'go.mod': 'Go',
  Makefile: 'make',
  makefile: 'make',
  GNUmakefile: 'make',
  'requirements.txt': 'Python',
  'setup.py': 'Python',
  'setup.cfg': 'Python',
  'tox.ini': 'Python',
  'tsconfig.json': 'TypeScript',
};

function stackOf(project: ProjectFiles): string {
  const files = manifestNames.filter((name) => stacks[name] !== undefined && textIn(project, name) !== '');
  const found = [...new Set(files.map((name) => stacks[name]))];
  const esm = jsonIn(project, 'package.json')?.['type'] === 'module';
  return found.length === 0
    ? 'not recognised'
    : `${found.join(', ')}${esm ? ', ES modules' : ''} (${files.join(', ')})`;
}

const kinds: readonly (readonly [string, RegExp])[] = [
  ['snake_case', /^[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ['kebab-case', /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ['camelCase', /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/],
  ['PascalCase', /^(?:[A-Z][a-z0-9]+){2,}$/],
];

/** How most files of more than one word are named; null where there is no saying. */
function namingOf(entries: readonly string[]): string | null {
  const stems = entries.flatMap((path) => /(?:^|\/)([^/.]+)(?:\.\w+)*\.\w+$/.exec(path)?.[1] ?? []);
  const counts = kinds.map(
    ([kind, shape]) => [kind, stems.filter((stem) => shape.test(stem)).length] as const,
  );
  const [first, second] = counts.toSorted((a, b) => b[1] - a[1]);
  return first !== undefined && first[1] >= 2 && first[1] > (second?.[1] ?? 0) ? first[0] : null;
}
