import type { Json } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { quoted } from './code-frame.ts';
import { jsonFault } from './json-fault.ts';

const deepest = 100;

/**
 * JSON from outside. Deep nesting is refused before it is parsed: every recursive walk that follows
 * (schemas, digests, storage) would run out of stack on it.
 */
export function parseJson(text: string): Result<Json, string> {
  if (brackets(text) > deepest && nesting(text) > deepest)
    return err(`it is nested more than ${deepest} levels deep`);
  try {
    const value: Json = JSON.parse(text);
    return ok(value);
  } catch {
    return err(faultSentence(text));
  }
}

/** Where the text stops being JSON, for a person: the engine's own message is that of an exception. */
function faultSentence(text: string): string {
  const offset = jsonFault(text);
  if (offset === null || offset >= text.length) return 'it ends too early';
  const before = text.slice(0, offset);
  const [line, column] = [before.split('\n').length, offset - before.lastIndexOf('\n')];
  return `${unexpectedAt(text, offset)} at line ${line}, column ${column}`;
}

/** The character that cannot stand there. */
export function unexpectedAt(text: string, offset: number): string {
  const character = text.slice(offset, offset + 1);
  const name = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character)
    ? quoted(character)
    : `character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return `unexpected ${name}`;
}

/** How many could open at most, no matter where they stand. Few do, and the engine finds them fast. */
function brackets(text: string): number {
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= deepest; at = text.indexOf(bracket, at + 1))
      count += 1;
  }
  return count;
}

function nesting(text: string): number {
  let depth = 0;
  let deepestSeen = 0;
  let inText = false;
  // Codes, not characters: maps of large plans are megabytes.
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inText && code === backslash) index += 1;
    else if (code === quote) inText = !inText;
    else if (inText) continue;
    else if (code === square || code === curly) deepestSeen = Math.max(deepestSeen, ++depth);
    else if (code === square + 2 || code === curly + 2) depth -= 1;
  }
  return deepestSeen;
}

/** Each closes with the code that is two further. */
const [square, curly] = [0x5b, 0x7b];
const [quote, backslash] = [0x22, 0x5c];
