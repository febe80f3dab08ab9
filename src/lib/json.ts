export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** What a store would give back. Replay must return exactly what the first run returned, so both pass here. */
export function plain(value: unknown): Json {
  return value === undefined ? null : parsed(JSON.stringify(value) ?? 'null');
}

/**
 * One text for one value, whatever the order its members were written in: the base of every content key. Built by adding
 * text to text, because a resume makes two of these for each finished step.
 */
export function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (isList(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonical(item)}`;
    return `[${text}]`;
  }
  for (const name of sortedNames(value)) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(value[name] ?? null)}`;
  }
  return `{${text}}`;
}

/** Most objects have their members in order already, and a sort takes more memory than all the rest. */
function sortedNames(value: JsonObject): readonly string[] {
  const names = Object.keys(value);
  let before = '';
  for (const name of names) {
    if (name < before) return names.toSorted();
    before = name;
  }
  return names;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** JSON text that this program wrote. */
export function parsed(text: string): Json {
  return recorded<Json>(JSON.parse(text));
}

/** A member of a recorded object as text; empty when it is not there or no text. */
export function textMember(value: Json | undefined, name: string): string {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
}

/**
 * Reads back what this program itself wrote: the shape is taken on trust, in this one place. What a person or an agent
 * wrote never comes this way; it passes a schema.
 */
export function recorded<T>(value: unknown): T;
export function recorded(value: unknown): unknown {
  return value;
}
