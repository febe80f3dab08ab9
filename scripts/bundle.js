// Bundles the program with the packages it uses, so that the published package has no dependencies and starts quickly.
// Every bundled file lies two folders below the package, as src/lib/package-files.ts expects.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { programSources } from '../src/lib/package-files.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const programs = Object.entries(programSources).map(([name, source]) => [`programs/${name}`, source]);

for (const folder of ['app', 'cli', 'programs', 'chunks']) {
  rmSync(join(root, 'dist', folder), { recursive: true, force: true });
}
const { output } = await build({
  cwd: root,
  input: { 'app/index': 'src/app/index.ts', 'cli/main': 'src/cli/main.ts', ...Object.fromEntries(programs) },
  platform: 'node',
  // Node 22 does not know `using`.
  transform: { target: 'es2023' },
  output: {
    dir: 'dist',
    format: 'es',
    // The digest in a name keeps a running process from loading a part of another version after an upgrade.
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
  onLog: (level, log) => {
    throw new Error(`${level}: ${log.message}`);
  },
});

const sources = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
const packages = new Set(sources.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
writeFileSync(
  join(root, 'dist/NOTICES.txt'),
  [...packages]
    .toSorted()
    .map(notice)
    .join(`\n${'-'.repeat(72)}\n\n`),
);

/** Name, version and licence of a bundled package. One that brings no text has the same licence as Tutti, or is not shipped. */
function notice(/** @type {string} */ folder) {
  const { name, version, license, author } = manifest(folder);
  const own = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry));
  if (own === undefined && license !== manifest(root).license) throw new Error(`${name} has no licence file`);
  const text =
    own === undefined
      ? `By ${author}. The text is in LICENSE.`
      : readFileSync(join(folder, own), 'utf8').trimEnd();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** @returns {{ name: string, version: string, license: string, author: string }} */
function manifest(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
