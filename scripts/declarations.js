// Keeps the declarations that the public API reaches, of all that the compiler wrote.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../dist/types/', import.meta.url));
/** @type {Set<string>} */
const reached = new Set();
reach('app/index.d.ts');
for (const path of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
  if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(join(folder, path));
}

function reach(/** @type {string} */ path) {
  if (reached.has(path)) return;
  reached.add(path);
  const text = readFileSync(join(folder, path), 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
    if (from.startsWith('.')) reach(join(dirname(path), from.replace(/\.ts$/, '.d.ts')));
    else if (!from.startsWith('node:'))
      throw new Error(`${path}: the package ${from} is bundled, without its types`);
  }
}
