import type { Json } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';

const deepest = 100;

/**
 * JSON that somebody else wrote. Deep nesting is refused before it is parsed: every recursive walk that follows
 * (schemas, digests, storage) would run out of stack on it.
 */
export function parseJson(text: string): Result<Json, string> {
  if (nesting(text) > deepest) return err(`it is nested more than ${deepest} levels deep`);
  try {
    const value: Json = JSON.parse(text);
    return ok(value);
  } catch (error) {
    return err(String(error));
  }
}

function nesting(text: string): number {
  let depth = 0;
  let deepestSeen = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inText && character === '\\') index += 1;
    else if (character === '"') inText = !inText;
    else if (inText) continue;
    else if (character === '[' || character === '{') deepestSeen = Math.max(deepestSeen, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepestSeen;
}
