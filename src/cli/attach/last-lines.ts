/** Lines that are written in large pieces, and at first only the last of them. */
export interface LastLines {
  readonly add: (line: string) => void;
  /** Everything was read that is there now. */
  readonly flush: () => void;
}

/** A piece for the terminal; also what may be kept of lines that are very long. */
const pieceCharacters = 64 * 1024;
const keptCharacters = 8 * 1024 * 1024;

/** Until the first `flush` only the last `count` lines are kept; null: all of them are written. `note`: what is said in place of the others. */
export function lastLines(
  count: number | null,
  write: (text: string) => void,
  note: (skipped: number) => string | null = () => null,
): LastLines {
  let lines: string[] = [];
  let first = 0;
  let characters = 0;
  let skipping = count;
  let skipped = 0;
  const put = (): void => {
    const text = lines.slice(first).join('\n');
    if (lines.length > first) write(`${text}\n`);
    [lines, first, characters] = [[], 0, 0];
  };
  const drop = (most: number): void => {
    while (lines.length - first > most || (characters > keptCharacters && lines.length - first > 1)) {
      characters -= lines[first]?.length ?? 0;
      lines[first] = '';
      first += 1;
      skipped += 1;
    }
    // Not for every line: moving the rest to the front costs as much as there is of it.
    if (first <= most) return;
    lines = lines.slice(first);
    first = 0;
  };
  return {
    add: (line) => {
      lines.push(line);
      characters += line.length;
      if (skipping !== null) drop(skipping);
      else if (characters > pieceCharacters) put();
    },
    flush: () => {
      if (skipping !== null && skipped > 0) {
        const said = note(skipped);
        if (said !== null) write(`${said}\n`);
      }
      skipping = null;
      put();
    },
  };
}
