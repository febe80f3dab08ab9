import { canonical, isObject, type Json, type JsonObject } from '../lib/json.ts';
import { issueSentence } from '../model/schemas/issue.ts';
import { patternOf, resolveReference } from './json-schema-support.ts';

/*
 * JSON Schema (2020-12) for schemas that `unsupported` has let through. Zod can turn such schemas into its own, but
 * drops conditions without a word (a `required` name that has no property, any condition beside a missing `type`).
 */

type Path = readonly (string | number)[];
/** One condition's complaints; empty when it holds. */
type Complaints = readonly string[];

interface Place {
  readonly root: Json;
  readonly path: Path;
  /** How many schemas lie between the root and here: a schema can refer to itself without end. */
  readonly depth: number;
}

const deepest = 2000;

/** Sentences about what does not fit; none when the value is what the schema says. */
export function validate(schema: Json, value: Json): Complaints {
  return inSchema(schema, value, { root: schema, path: [], depth: 0 });
}

function inSchema(schema: Json | undefined, value: Json, from: Place): Complaints {
  const place = { ...from, depth: from.depth + 1 };
  if (schema === true) return [];
  if (!isObject(schema)) return say(place, 'must not be there');
  if (place.depth > deepest) return say(place, 'cannot be checked: the schema refers to itself without end');
  return [
    ...ofAnyKind(schema, value, place),
    ...combined(schema, value, place),
    ...(typeof value === 'string' ? ofText(schema, value, place) : []),
    ...(typeof value === 'number' ? ofNumber(schema, value, place) : []),
    ...(Array.isArray(value) ? ofList(schema, value, place) : []),
    ...(isObject(value) ? ofObject(schema, value, place) : []),
  ];
}

function ofAnyKind(schema: JsonObject, value: Json, place: Place): Complaints {
  const { type, enum: allowed, const: only } = schema;
  const types = type === undefined ? [] : [type].flat().map(String);
  const same = (other: Json): boolean => canonical(other) === canonical(value);
  return [
    ...unless(
      types.length === 0 || types.some((name) => isOfType(name, value)),
      place,
      `must be ${types.join(' or ')}`,
    ),
    ...unless(!Array.isArray(allowed) || allowed.some(same), place, `must be one of ${shown(allowed)}`),
    ...unless(only === undefined || same(only), place, `must be ${shown(only)}`),
  ];
}

function combined(schema: JsonObject, value: Json, place: Place): Complaints {
  const { $ref: reference, allOf, anyOf, oneOf, not, if: condition } = schema;
  const fits = (each: Json): boolean => inSchema(each, value, place).length === 0;
  const branch = condition === undefined ? undefined : fits(condition) ? schema['then'] : schema['else'];
  return [
    ...(typeof reference === 'string'
      ? inSchema(resolveReference(reference, place.root) ?? false, value, place)
      : []),
    ...listOf(allOf).flatMap((each) => inSchema(each, value, place)),
    ...unless(!Array.isArray(anyOf) || anyOf.some(fits), place, 'fits none of the alternatives (anyOf)'),
    ...unless(
      !Array.isArray(oneOf) || oneOf.filter(fits).length === 1,
      place,
      'must fit exactly one of the alternatives (oneOf)',
    ),
    ...unless(not === undefined || !fits(not), place, 'is what it must not be (not)'),
    ...(branch === undefined ? [] : inSchema(branch, value, place)),
  ];
}

function ofText(schema: JsonObject, value: string, place: Place): Complaints {
  const { pattern } = schema;
  // The standard counts characters, not the units they are stored in.
  const { length } = Array.from(value);
  const fits = typeof pattern !== 'string' || patternOf(pattern)?.test(value) === true;
  return [
    ...within(schema['minLength'], length, schema['maxLength'], place, 'characters'),
    ...unless(fits, place, `must match ${shown(pattern)}`),
  ];
}

function ofNumber(schema: JsonObject, value: number, place: Place): Complaints {
  const limit = (name: string, holds: (limit: number) => boolean, words: string): Complaints => {
    const bound = schema[name];
    return typeof bound === 'number' ? unless(holds(bound), place, `must be ${words} ${bound}`) : [];
  };
  return [
    ...limit('minimum', (bound) => value >= bound, 'at least'),
    ...limit('maximum', (bound) => value <= bound, 'at most'),
    ...limit('exclusiveMinimum', (bound) => value > bound, 'greater than'),
    ...limit('exclusiveMaximum', (bound) => value < bound, 'less than'),
    ...limit('multipleOf', (bound) => Number.isInteger(value / bound), 'a multiple of'),
  ];
}

function ofList(schema: JsonObject, value: readonly Json[], place: Place): Complaints {
  const { prefixItems, items, contains, uniqueItems } = schema;
  const first = listOf(prefixItems);
  const fits = (item: Json): boolean =>
    contains !== undefined && inSchema(contains, item, place).length === 0;
  return [
    ...within(schema['minItems'], value.length, schema['maxItems'], place, 'items'),
    ...value.flatMap((item, index) => inSchema(first[index] ?? items ?? true, item, below(place, index))),
    ...unless(
      uniqueItems !== true || new Set(value.map(canonical)).size === value.length,
      place,
      'has items twice',
    ),
    ...unless(
      contains === undefined || value.some(fits),
      place,
      'contains no item of the kind it must (contains)',
    ),
  ];
}

function ofObject(schema: JsonObject, value: JsonObject, place: Place): Complaints {
  const { required, propertyNames = true } = schema;
  const names = Object.keys(value);
  return [
    ...listOf(required)
      .filter((name) => typeof name === 'string')
      .flatMap((name) => unless(Object.hasOwn(value, name), below(place, name), 'is missing')),
    ...within(schema['minProperties'], names.length, schema['maxProperties'], place, 'members'),
    ...names.flatMap((name) => inSchema(propertyNames, name, below(place, name))),
    ...names.flatMap((name) =>
      schemasOf(schema, name).flatMap((each) => inSchema(each, value[name] ?? null, below(place, name))),
    ),
  ];
}

/** All that a schema says about the member of that name. */
function schemasOf(schema: JsonObject, name: string): readonly Json[] {
  const { properties, patternProperties, additionalProperties = true } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name] ?? true] : [];
  const patterned = Object.entries(isObject(patternProperties) ? patternProperties : {})
    .filter(([pattern]) => patternOf(pattern)?.test(name))
    .map(([, each]) => each);
  const found = [...own, ...patterned];
  return found.length > 0 ? found : [additionalProperties];
}

function isOfType(type: string, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function within(
  min: Json | undefined,
  count: number,
  max: Json | undefined,
  place: Place,
  what: string,
): Complaints {
  return [
    ...unless(typeof min !== 'number' || count >= min, place, `must have at least ${shown(min)} ${what}`),
    ...unless(typeof max !== 'number' || count <= max, place, `must have at most ${shown(max)} ${what}`),
  ];
}

function unless(holds: boolean, place: Place, message: string): Complaints {
  return holds ? [] : say(place, message);
}

function say(place: Place, message: string): Complaints {
  return [issueSentence({ path: place.path, message })];
}

function below(place: Place, part: string | number): Place {
  return { ...place, path: [...place.path, part] };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function shown(value: Json | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 200);
}
