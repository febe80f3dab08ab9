import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repository } from '../../../test/rig/repository.ts';
import { publishedSchemas } from './published.ts';

test('the published JSON Schemas are those that the program checks with (else: node scripts/schemas.js)', () => {
  const onDisk = readdirSync(repository('schemas')).map((name): [string, unknown] => [
    name,
    JSON.parse(readFileSync(repository(`schemas/${name}`), 'utf8')),
  ]);
  expect(Object.fromEntries(onDisk)).toEqual(JSON.parse(JSON.stringify(publishedSchemas())));
});
