import { isObject, type Json } from '../../lib/json.ts';

/** A setting as `-c` wants it, in one line of TOML. There is no null: a form with one never comes here. */
export function toml(value: Json): string {
  if (typeof value === 'string') return tomlText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!isObject(value)) return `[${value.map(toml).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${tomlText(name)} = ${toml(member)}`);
  return `{${members.join(', ')}}`;
}

/** JSON escapes what TOML does, but for one character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`);
}
