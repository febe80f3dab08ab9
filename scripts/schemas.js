// Writes the published JSON Schemas from the schemas that the program itself checks with. No build is needed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publishedSchemas } from '../src/model/schemas/published.ts';

const folder = fileURLToPath(new URL('../schemas/', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) {
  writeFileSync(`${folder}${name}`, `${JSON.stringify(schema, null, 2)}\n`);
}
execFileSync(fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url)), [
  'format',
  '--write',
  folder,
]);
