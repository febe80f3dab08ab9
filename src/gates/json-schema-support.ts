import { isObject, type Json, type JsonObject } from '../lib/json.ts';

/*
 * Which JSON Schemas the gate can check, all the way down. A keyword that is not here would be ignored, and a gate
 * that ignores a condition passes what it must not.
 */

const schemaKeywords = [
  'additionalProperties',
  'items',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const schemaListKeywords = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const schemaMapKeywords = ['properties', 'patternProperties', '$defs', 'definitions'];
const countKeywords = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
/** They describe and demand nothing. `format` is one of them unless a validator decides otherwise. */
const annotations = [
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
];
const typeNames = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];

/** The whole schema, and the references already followed: a schema may refer to itself. */
interface Whole {
  readonly root: Json;
  readonly followed: Set<string>;
}

/** Null when every part can be checked; otherwise the first that cannot, with its place. */
export function unsupported(schema: Json): string | null {
  return inSchema(schema, { root: schema, followed: new Set() }, '#');
}

function inSchema(schema: Json | undefined, whole: Whole, at: string): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isObject(schema)) return `${at} is not a schema`;
  for (const [keyword, value] of Object.entries(schema)) {
    const reason = inKeyword(keyword, value, whole, `${at}/${keyword}`);
    if (reason !== null) return reason;
  }
  return null;
}

function inKeyword(keyword: string, value: Json, whole: Whole, at: string): string | null {
  if (annotations.includes(keyword) || keyword.startsWith('x-') || keyword === 'const') return null;
  if (schemaKeywords.includes(keyword)) return inSchema(value, whole, at);
  if (schemaListKeywords.includes(keyword)) return inList(value, whole, at);
  if (schemaMapKeywords.includes(keyword)) return inMap(value, whole, at, keyword === 'patternProperties');
  if (countKeywords.includes(keyword))
    return sure(typeof value === 'number' && value >= 0, `${at} is not a count`);
  if (numberKeywords.includes(keyword)) return sure(typeof value === 'number', `${at} is not a number`);
  switch (keyword) {
    case '$id':
      // Below the root it would change what references mean.
      return sure(at === '#/$id', `${at} is not supported below the root`);
    case '$ref':
      return inReference(value, whole, at);
    case 'type':
      return sure(
        [value].flat().every((name) => typeof name === 'string' && typeNames.includes(name)),
        `${at} names no known type`,
      );
    case 'enum':
      return sure(Array.isArray(value), `${at} is not a list`);
    case 'required':
      return sure(
        Array.isArray(value) && value.every((name) => typeof name === 'string'),
        `${at} is not a list of names`,
      );
    case 'uniqueItems':
      return sure(typeof value === 'boolean', `${at} is not true or false`);
    case 'pattern':
      return inPattern(value, at);
    default:
      return `the keyword ${JSON.stringify(keyword)} at ${at} is not supported`;
  }
}

function inList(value: Json, whole: Whole, at: string): string | null {
  if (!Array.isArray(value) || value.length === 0) return `${at} is not a list of schemas`;
  return first(value.map((schema: Json, index) => () => inSchema(schema, whole, `${at}/${index}`)));
}

function inMap(value: Json, whole: Whole, at: string, patterns: boolean): string | null {
  if (!isObject(value)) return `${at} is not a mapping`;
  return first(
    Object.entries(value).map(
      ([name, schema]) =>
        () =>
          (patterns ? inPattern(name, at) : null) ?? inSchema(schema, whole, `${at}/${name}`),
    ),
  );
}

function inPattern(value: Json, at: string): string | null {
  return sure(typeof value === 'string' && patternOf(value) !== null, `${at} is not a regular expression`);
}

function inReference(value: Json, whole: Whole, at: string): string | null {
  if (typeof value !== 'string' || !/^#(\/|$)/.test(value)) return `${at} does not point into the same file`;
  const target = resolveReference(value, whole.root);
  if (target === null) return `${at} refers to nothing`;
  if (whole.followed.has(value)) return null;
  whole.followed.add(value);
  return inSchema(target, whole, value);
}

/** With Unicode as the standard asks, or as older authors wrote it. */
export function patternOf(text: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(text, flags);
    } catch {
      // The next flags may fit; no flags at all is the answer null.
    }
  }
  return null;
}

/** `#`, or a JSON pointer into the same file. */
export function resolveReference(reference: string, root: Json): JsonObject | boolean | null {
  let found: Json | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null) return null;
    const member: Json | undefined = Object.getOwnPropertyDescriptor(found, name)?.value;
    found = member;
  }
  return isObject(found) || typeof found === 'boolean' ? found : null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const reason = check();
    if (reason !== null) return reason;
  }
  return null;
}

function sure(holds: boolean, otherwise: string): string | null {
  return holds ? null : otherwise;
}
