import { isList, isObject, type Json, plain } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { Member, Word } from '../../model/members.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';

const maxBytes = 1024 * 1024;

/** Every setting of a `tutti.yaml`. Empty for one that cannot be read. */
export function settingMembers(file: string): readonly Member[] {
  const text = readText(file, { maxBytes, links: 'follow' });
  const document = text.ok ? parseYaml(text.value, file) : null;
  return document?.ok === true ? flattened('', plain(document.value.value ?? {})) : [];
}

/** One member for each value, as the file has it: a member of its own can neither hide nor be hidden. */
export function flattened(name: string, value: Json): readonly Member[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([below, inner]) =>
      flattened(name === '' ? below : `${name}.${below}`, inner),
    );
  }
  if (!isList(value)) return [{ name, value }];
  if (value.every(isWord)) return [{ name, value }];
  return value.flatMap((one, at) => flattened(`${name}[${at}]`, one));
}

function isWord(value: Json): value is Word {
  return typeof value !== 'object' || value === null;
}
