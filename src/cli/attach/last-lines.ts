import { LineRing } from './line-ring.ts';

/** Lines that are written in large pieces, and at first only the last of them. */
export interface LastLines {
  readonly add: (line: string) => void;
  /** Everything was read that is there now. */
  readonly flush: () => void;
}

/** A piece for the terminal. */
const pieceCharacters = 16 * 1024;

/**
 * Until the first `flush` only the last `count` lines are kept; null: all of them are written. `note`: what is said in
 * place of the others.
 */
export function lastLines(
  count: number | null,
  write: (text: string) => void,
  note: (skipped: number) => string | null = () => null,
): LastLines {
  const pieces = inPieces(write);
  let ring = count === null ? null : new LineRing(count);
  return {
    add: (line) => {
      if (ring === null) pieces.add(line);
      else ring.add(line);
    },
    flush: () => {
      const said = ring === null || ring.skipped === 0 ? null : note(ring.skipped);
      if (said !== null) pieces.add(said);
      for (const line of ring?.lines() ?? []) pieces.add(line);
      ring = null;
      pieces.flush();
    },
  };
}

function inPieces(write: (text: string) => void): LastLines {
  let lines: string[] = [];
  let characters = 0;
  const flush = (): void => {
    if (lines.length > 0) write(`${lines.join('\n')}\n`);
    lines = [];
    characters = 0;
  };
  return {
    add: (line) => {
      lines.push(line);
      characters += line.length;
      if (characters > pieceCharacters) flush();
    },
    flush,
  };
}
