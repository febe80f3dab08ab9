/**
 * Where a text stops being JSON: the offset of the first character that cannot stand there, or the text's length when
 * more was to come; null when it is JSON. The engine's own message tells no place for short texts.
 */
export function jsonFault(text: string): number | null {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const space = (): boolean => take(/[ \t\n\r]*/y);
  /** What each open bracket is waiting to be closed by. */
  const open: ('}' | ']')[] = [];
  /** After `{` or a comma in it comes a name, and then the value. */
  const name = (): boolean => {
    space();
    if (!take(word)) return false;
    space();
    return take(/:/y);
  };
  for (;;) {
    space();
    if (take(/\{/y)) {
      space();
      if (!take(/\}/y)) {
        open.push('}');
        if (!name()) return at;
        continue;
      }
    } else if (take(/\[/y)) {
      space();
      if (!take(/\]/y)) {
        open.push(']');
        continue;
      }
    } else if (!take(word) && !take(number) && !take(/true|false|null/y)) {
      return faultWithin(text, at);
    }
    // A value is over: it may close what is around it, or be followed by the next.
    for (space(); open.length > 0 && text[at] === open.at(-1); space()) {
      at += 1;
      open.pop();
    }
    if (open.length === 0) return at === text.length ? null : at;
    if (!take(/,/y)) return at;
    if (open.at(-1) === '}' && !name()) return faultWithin(text, at);
  }
}

const word = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** A text in quotes that breaks off is to blame where it breaks off. */
function faultWithin(text: string, at: number): number {
  const begun = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
  begun.lastIndex = at;
  return begun.test(text) ? begun.lastIndex : at;
}
