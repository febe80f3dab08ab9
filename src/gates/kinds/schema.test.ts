import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { schemaGate } from './schema.ts';

function gate(schema: string | null, value: string | null) {
  using folder = tempFolder();
  if (schema !== null) writeFileSync(join(folder.path, 's.json'), schema);
  if (value !== null) writeFileSync(join(folder.path, 'v.json'), value);
  const spec = { kind: 'schema', path: 'v.json', schema: 's.json' } as const;
  return schemaGate(spec, { workspace: folder.path, projectDir: folder.path });
}

test('a file that is what its schema says passes', () => {
  expect(gate('{"required":["a"]}', '{"a":1}')).toEqual({
    gate: 'schema',
    passed: true,
    finding: 'v.json is what s.json says',
    evidence: { path: 'v.json', schema: 's.json' },
  });
});

test('a file that is not comes with every difference as evidence', () => {
  expect(gate('{"required":["a","b"]}', '{}')).toMatchObject({
    passed: false,
    finding: 'v.json is not what s.json says: a: is missing; b: is missing',
    evidence: { errors: ['a: is missing', 'b: is missing'] },
  });
});

test.each([
  ['{"if":{"frob":1}}', '{}', 'the schema s.json cannot be checked: the keyword "frob"'],
  ['{', '{}', 'the schema cannot be used: s.json is not JSON'],
  ['[]', '{}', 'the schema cannot be used: s.json is not a JSON Schema'],
  [null, '{}', 'the schema cannot be used: s.json does not exist'],
  ['{}', null, 'v.json does not exist'],
  ['{}', '{', 'v.json is not JSON'],
  ['false', '{}', 'must not be there'],
])('schema %j and value %j never pass: %s', (schema, value, finding) => {
  expect(gate(schema, value)).toMatchObject({ passed: false, finding: expect.stringContaining(finding) });
});

test('the boolean schema true takes anything', () => {
  expect(gate('true', '5').passed).toBe(true);
});
