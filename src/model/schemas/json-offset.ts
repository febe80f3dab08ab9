/**
 * Where a value stands in a text that is known to be JSON: its offset, or that of the nearest thing around it that exists.
 * Only what leads there is looked at closely, because the maps of large plans are megabytes.
 */
export function jsonOffset(text: string, path: readonly (string | number)[]): number {
  let at = afterSpace(text, 0);
  for (const part of path) {
    const inside = text[at] === '{' ? memberAt(text, at, String(part)) : itemAt(text, at, Number(part));
    if (inside === null) return at;
    at = inside;
  }
  return at;
}

function memberAt(text: string, start: number, wanted: string): number | null {
  let found: number | null = null;
  let at = afterSpace(text, start + 1);
  while (text[at] === '"') {
    const end = afterValue(text, at);
    const name: unknown = JSON.parse(text.slice(at, end));
    const value = afterSpace(text, afterSpace(text, end) + 1);
    // The last of a name is the one that counts.
    if (name === wanted) found = value;
    at = afterComma(text, afterValue(text, value));
  }
  return found;
}

function itemAt(text: string, start: number, wanted: number): number | null {
  if (text[start] !== '[') return null;
  let at = afterSpace(text, start + 1);
  for (let index = 0; at < text.length && text[at] !== ']'; index += 1) {
    if (index === wanted) return at;
    at = afterComma(text, afterValue(text, at));
  }
  return null;
}

function afterComma(text: string, start: number): number {
  const at = afterSpace(text, start);
  return text[at] === ',' ? afterSpace(text, at + 1) : at;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

function afterValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text.charAt(at);
    if (character === '"') at = afterText(text, at);
    else if (depth === 0 && !'[{'.includes(character)) return afterBare(text, at);
    else {
      if ('[{'.includes(character)) depth += 1;
      else if (']}'.includes(character)) depth -= 1;
      at += 1;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

function afterText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** A number, `true`, `false` or `null`. */
function afterBare(text: string, start: number): number {
  const bare = /[^,\]}\s]*/y;
  bare.lastIndex = start;
  bare.test(text);
  return bare.lastIndex;
}
