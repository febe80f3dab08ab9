import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, programFile, programSources, sharedFiles } from '../../src/lib/package-files.ts';

interface BundledFile {
  readonly path: string;
  readonly text: string;
}

export function bundledFiles(dist: string): readonly BundledFile[] {
  return readdirSync(dist, { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith('.js'))
    .map((path) => ({ path: join(dist, path), text: readFileSync(join(dist, path), 'utf8') }));
}

/** Packages whose code is in the bundle. The bundler writes the path of each source above its code. */
export function bundledPackages(dist: string): readonly string[] {
  const found = bundledFiles(dist).flatMap(({ text }) => [
    ...text.matchAll(/^\/\/(?:#region)? node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
  ]);
  return [...new Set(found.map(([, name = '']) => name))];
}

/** Files that the module would find by their path, if it lay at this URL, and that do not exist. */
export function missingFiles(module: string): readonly string[] {
  const programs = Object.keys(programSources).map((name) =>
    programFile(name as keyof typeof programSources, module),
  );
  const shared = Object.keys(sharedFiles).map((name) =>
    packageFile(name as keyof typeof sharedFiles, module),
  );
  return [...programs, ...shared].filter((path) => !existsSync(path));
}

/** Sources that look for files beside themselves: bundled, such code lies somewhere else. */
export function sourcesWithOwnUrl(folder: string): readonly string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => readFileSync(join(folder, path), 'utf8').includes('import.meta'));
}
