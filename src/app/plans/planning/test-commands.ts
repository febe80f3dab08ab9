import { isObject } from '../../../lib/json.ts';
import { packageOf, type ConfigFile, type ConfigName } from './config-files.ts';

/** How the project's own tests and linters are run. A plan for it must run them too. */
export function testCommands(files: readonly ConfigFile[]): readonly string[] {
  const found = files.flatMap(({ name, text }) => finders[name]?.(text) ?? []);
  return [...new Set(found)];
}

const finders: Partial<Record<ConfigName, (text: string) => readonly string[]>> = {
  'package.json': npmScripts,
  'pyproject.toml': (text) => [
    ...(/^\[tool\.pytest/m.test(text) || /\bpytest\b/.test(text) ? ['pytest'] : []),
    ...(/^\[tool\.ruff/m.test(text) ? ['ruff check'] : []),
  ],
  'requirements.txt': (text) => (/^pytest\b/m.test(text) ? ['pytest'] : []),
  'Cargo.toml': () => ['cargo test'],
  'go.mod': () => ['go test ./...'],
  Makefile: (text) =>
    ['test', 'lint']
      .filter((target) => new RegExp(`^${target}\\s*:`, 'm').test(text))
      .map((t) => `make ${t}`),
};

/** What `npm init` puts there fails always, and says that there is none. */
const noTests = /no test specified/;

function npmScripts(text: string): readonly string[] {
  const scripts = packageOf(text)?.['scripts'];
  if (!isObject(scripts)) return [];
  const has = (name: string) => {
    const script = scripts[name];
    return typeof script === 'string' && script.trim() !== '' && !noTests.test(script);
  };
  return [...(has('test') ? ['npm test'] : []), ...(has('lint') ? ['npm run lint'] : [])];
}
