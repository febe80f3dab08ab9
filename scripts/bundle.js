// Bundles the program with the packages it uses, so that the published package has no dependencies and starts quickly.
// Every bundled file lies two folders below the package, as src/lib/package-files.ts expects.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { programSources } from '../src/lib/package-files.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Packages of others, in which no stack trace of ours ends: without blanks, but with all names. */
const formats = { name: 'formats', test: /node_modules\/(yaml|zod)\// };

for (const folder of ['app', 'cli', 'programs', 'chunks']) {
  rmSync(join(root, 'dist', folder), { recursive: true, force: true });
}
const tutti = await bundle({ 'app/index': 'src/app/index.ts', 'cli/main': 'src/cli/main.ts' }, [
  { name: 'commands', test: /src\/cli\/main\.ts$/ },
  // Commands that open a project only to look at it: people and agents call them most often.
  {
    name: 'read',
    test: /src\/cli\/commands\/(check-halt|costs|events|inbox|runs|status|plan\/status|session\/list|task\/list)\.ts$/,
  },
  { name: 'base', test: /src\/(lib|model)\/[^/]+\.ts$/ },
  formats,
  // What a command that only looks needs of a configuration.
  { name: 'settings', test: /src\/app\/config\/load-settings\.ts$/ },
  // Every other command opens the whole project, with its drivers.
  { name: 'project', test: /src\/app\/tutti\.ts$/ },
  // With how each CLI signs in, which only drivers of runs and the doctor ask for.
  {
    name: 'advance',
    test: /src\/(app\/host\/local-host|kernel\/engine|cli\/commands\/run|drivers\/[^/]+\/find-sign-in)\.ts$/,
  },
]);
// Apart from the others: they are small, start often, and would load whole groups for a few functions.
const programs = Object.entries(programSources).map(([name, source]) => [`programs/${name}`, source]);
const started = await bundle(Object.fromEntries(programs), [formats]);
writeFileSync(join(root, 'dist/NOTICES.txt'), notices([...tutti, ...started]));

/**
 * A group is code that is loaded together, with everything that it imports; the first one that matches gets a module. Without
 * groups the bundler makes a file of every set of commands that share code, and each file costs more than the code in it.
 * @param {Record<string, string>} input
 * @param {import('rolldown').CodeSplittingGroup[]} groups
 */
async function bundle(input, groups) {
  const { output } = await build({
    cwd: root,
    input,
    platform: 'node',
    // Node 22 does not know `using`.
    transform: { target: 'es2023' },
    output: {
      dir: 'dist',
      format: 'es',
      // The digest in a name keeps a running process from loading a part of another version after an upgrade.
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups },
      // Doc comments are in the sources; compiling them costs size and start-up.
      comments: { legal: true, annotation: true, jsdoc: false },
    },
    plugins: [
      { name: 'plain-builtins', renderChunk: (code) => withPlainBuiltins(code) },
      {
        name: 'without-blanks',
        generateBundle: (_, files) => {
          for (const file of Object.values(files))
            if (file.type === 'chunk' && file.name === formats.name) file.code = withoutBlanks(file);
        },
      },
    ],
    onLog: (level, log) => {
      throw new Error(`${level}: ${log.message}`);
    },
  });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/**
 * A built-in module that is imported gets a copy of all its members, and for that Node loads what hardly anybody uses: the
 * streams of `node:fs`, the web's cryptography. Taken as it is, it costs half as much.
 * @param {string} code
 */
function withPlainBuiltins(code) {
  return code.replaceAll(
    /^import \{ ([^}]+) \} from "(node:[a-z/_]+)";$/gm,
    (_, names, module) =>
      `const { ${names.replaceAll(' as ', ': ')} } = process.getBuiltinModule("${module}");`,
  );
}

/**
 * Says at the top which packages it holds, as the bundler says above each of their modules.
 * @param {import('rolldown').OutputChunk} chunk
 */
function withoutBlanks({ fileName, code }) {
  const { code: small, errors } = minifySync(fileName, code, { compress: false, mangle: false });
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]?.message}`);
  const packages = code.match(/^\/\/(?:#region)? node_modules\/(?:@[^/]+\/)?[^/]+\//gm) ?? [];
  return [...new Set(packages), small].join('\n');
}

/** Licences of the packages that these modules belong to. */
function notices(/** @type {readonly string[]} */ modules) {
  const folders = modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)]
    .toSorted()
    .map(notice)
    .join(`\n${'-'.repeat(72)}\n\n`);
}

/** Name, version and licence of a package. One that brings no text has the same licence as Tutti, or is not shipped. */
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
