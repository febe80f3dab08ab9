import { isObject, type Json, type JsonObject } from '../../lib/json.ts';

/** Members whose values are schemas, or hold some. */
const nested = ['items', 'anyOf', 'additionalProperties'] as const;
const named = ['properties', '$defs', 'definitions'] as const;

/**
 * Whether the model can be bound to a schema. The CLI asks for that in a strict way, where every object must name all its
 * members, want them all and allow no others; with any other schema the model refuses the whole turn.
 */
export function isStrict(schema: Json): boolean {
  return isObject(schema) && schema['type'] === 'object' && isStrictBelow(schema);
}

function isStrictBelow(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.every((item: Json) => isStrictBelow(item));
  if (!isObject(schema)) return true;
  if ('allOf' in schema || 'oneOf' in schema || 'patternProperties' in schema) return false;
  if (mayBeObject(schema['type']) && !isClosed(schema)) return false;
  const below = named.flatMap((name) => valuesOf(schema[name]));
  return [...below, ...nested.map((name) => schema[name] ?? null)].every(isStrictBelow);
}

function mayBeObject(type: Json | undefined): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function isClosed({ properties, required, additionalProperties }: JsonObject): boolean {
  if (additionalProperties !== false || !isObject(properties)) return false;
  const wanted: readonly Json[] = Array.isArray(required) ? required : [];
  return Object.keys(properties).every((name) => wanted.includes(name));
}

function valuesOf(value: Json | undefined): readonly Json[] {
  return isObject(value) ? Object.values(value) : [];
}
