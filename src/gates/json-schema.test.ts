import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { repository } from '../../test/rig/repository.ts';
import type { Json } from '../lib/json.ts';
import { unsupported } from './json-schema-support.ts';
import { validate } from './json-schema.ts';

/** Schema, a value that fits, one that does not, and what is said about it. */
const cases: readonly [Json, Json, Json, string][] = [
  [{ type: 'string' }, 'a', 5, 'must be string'],
  [{ type: ['integer', 'null'] }, null, 1.5, 'must be integer or null'],
  [{ type: 'integer' }, 1, 1.5, 'must be integer'],
  [{ type: 'array' }, [], {}, 'must be array'],
  [{ type: 'object' }, {}, [], 'must be object'],
  [{ enum: ['a', { b: 1 }] }, { b: 1 }, 'b', 'must be one of ["a",{"b":1}]'],
  [{ const: null }, null, 0, 'must be null'],
  [{ required: ['a'] }, { a: 1 }, {}, 'a: is missing'],
  [{ properties: { a: { type: 'number' } } }, { a: 1, b: 'x' }, { a: 'x' }, 'a: must be number'],
  [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }, 'b: must not be there'],
  [
    { patternProperties: { '^x': { type: 'number' } }, additionalProperties: { type: 'string' } },
    { x1: 1, y: '' },
    { x1: '' },
    'x1: must be number',
  ],
  [{ propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }, 'abc: must have at most 2 characters'],
  [{ minProperties: 1, maxProperties: 2 }, { a: 1 }, {}, 'must have at least 1 members'],
  [{ items: { type: 'number' } }, [1, 2], [1, 'x'], '[1]: must be number'],
  [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1], '[1]: must not be there'],
  [{ minItems: 1, maxItems: 2 }, [1], [1, 2, 3], 'must have at most 2 items'],
  [
    { uniqueItems: true },
    [{ a: 1 }, { a: 2 }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    'has items twice',
  ],
  [{ contains: { type: 'number' } }, ['a', 1], ['a'], 'contains no item of the kind it must'],
  [{ minLength: 2, maxLength: 2 }, '😀x', '😀', 'must have at least 2 characters'],
  [{ pattern: '^a+$' }, 'aa', 'b', 'must match "^a+$"'],
  [{ minimum: 1, maximum: 3 }, 3, 4, 'must be at most 3'],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2, 1, 'must be greater than 1'],
  [{ multipleOf: 0.5 }, 1.5, 1.2, 'must be a multiple of 0.5'],
  [{ allOf: [{ type: 'number' }, { minimum: 5 }] }, 6, 1, 'must be at least 5'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, null, '', 'fits none of the alternatives'],
  [{ oneOf: [{ type: 'number' }, { minimum: 5 }] }, 1, 6, 'must fit exactly one'],
  [{ not: { type: 'string' } }, 1, 'a', 'is what it must not be'],
  [
    JSON.parse('{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"null"}}') as Json,
    null,
    '',
    'must have at least 1 characters',
  ],
  [{ if: { type: 'string' }, else: { type: 'null' } }, 'x', 5, 'must be null'],
  [
    { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } },
    { a: 1 },
    { a: '' },
    'a: must be number',
  ],
  [
    { definitions: { 'a/b': { type: 'number' } }, items: { $ref: '#/definitions/a~1b', minimum: 2 } },
    [3],
    [1],
    '[0]: must be at least 2',
  ],
  [
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['v'] },
    { v: 1, next: { v: 2 } },
    { v: 1, next: {} },
    'next.v: is missing',
  ],
];

test.each(cases)('%j takes %j and refuses %j: %s', (schema, good, bad, why) => {
  expect(unsupported(schema)).toBe(null);
  expect(validate(schema, good)).toEqual([]);
  expect(validate(schema, bad)[0]).toContain(why);
});

test('what zod would drop without a word is checked here', () => {
  // A required name without a property, conditions beside a missing type, a required member with a default.
  expect(validate({ type: 'object', required: ['a'] }, {})).toEqual(['a: is missing']);
  expect(validate({ properties: { a: { minLength: 3 } } }, { a: 'x' })).not.toEqual([]);
  const withDefault = {
    type: 'object',
    properties: { a: { type: 'string', default: 'x' } },
    required: ['a'],
  };
  expect(validate(withDefault, {})).toEqual(['a: is missing']);
});

test.each([
  [
    { unevaluatedProperties: false },
    'the keyword "unevaluatedProperties" at #/unevaluatedProperties is not supported',
  ],
  [{ properties: { a: { dependentRequired: {} } } }, '#/properties/a/dependentRequired'],
  [{ $ref: 'https://example.org/s.json' }, 'does not point into the same file'],
  [{ $ref: '#anchor' }, 'does not point into the same file'],
  [{ $ref: '#/$defs/none' }, 'refers to nothing'],
  [{ $ref: '#/default', default: { frobnicate: 1 } }, 'the keyword "frobnicate"'],
  [{ type: 'text' }, 'names no known type'],
  [{ type: [5] }, 'names no known type'],
  [{ pattern: '(' }, 'is not a regular expression'],
  [{ patternProperties: { '(': true } }, 'is not a regular expression'],
  [{ minLength: '3' }, 'is not a count'],
  [{ minimum: '3' }, 'is not a number'],
  [{ exclusiveMinimum: true }, 'is not a number'],
  [{ required: 'a' }, 'is not a list of names'],
  [{ enum: 'a' }, 'is not a list'],
  [{ uniqueItems: 1 }, 'is not true or false'],
  [{ items: [{ type: 'string' }] }, '#/items is not a schema'],
  [{ anyOf: [] }, '#/anyOf is not a list of schemas'],
  [{ allOf: [true, 5] }, '#/allOf/1 is not a schema'],
  [{ properties: [] }, '#/properties is not a mapping'],
  [{ properties: { a: { $id: 'x' } } }, 'is not supported below the root'],
  [5, '# is not a schema'],
] as const)('the schema %j is refused before it is used: %s', (schema, why) => {
  expect(unsupported(schema as Json)).toContain(why);
});

test('annotations demand nothing', () => {
  const schema = {
    $id: 'x',
    $schema: 'y',
    title: 't',
    description: 'd',
    format: 'email',
    'x-mine': 1,
    default: 5,
  };
  expect(unsupported(schema)).toBe(null);
  expect(validate(schema, { anything: true })).toEqual([]);
});

test('a schema that refers to itself without end refuses, and ends', () => {
  const schema = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
  expect(unsupported(schema)).toBe(null);
  expect(validate(schema, 5)).toEqual([expect.stringContaining('refers to itself without end')]);
});

test('the schemas that Tutti publishes can be checked by Tutti', () => {
  for (const name of ['tutti', 'flow', 'cassette', 'result']) {
    const schema = JSON.parse(readFileSync(repository(`schemas/${name}.schema.json`), 'utf8')) as Json;
    expect(unsupported(schema)).toBe(null);
    expect(
      validate(schema, { turns: [], steps: [{ id: 'a', command: ['x'] }], status: 'success' }).length === 0,
    ).toBe(name === 'result');
  }
});

test('whatever the schema and the value, the answer is a value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
      const answer = unsupported(schema as Json) ?? validate(schema as Json, value as Json);
      expect(answer).toBeDefined();
    }),
  );
});
