import { stripVTControlCharacters } from 'node:util';
import type { Context, Screen } from '../context.ts';
import { displayWidth } from '../render/width.ts';

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const clearBelow = '\u001B[J';

/** What stands at the end of the screen. The cursor is in the last line; null: there is nothing to type. */
export interface Bottom {
  readonly lines: readonly string[];
  readonly cursor: number | null;
}

/** The last lines of a terminal, with the cursor in them; what is said goes above, and scrolls away as always. */
export class BottomArea implements Disposable {
  readonly #write: (text: string) => void;
  readonly #screen: Screen;
  #bottom: Bottom = { lines: [], cursor: null };

  constructor({ process, screen }: Pick<Context, 'process' | 'screen'>) {
    this.#write = (text) => {
      process.stdout.write(text);
    };
    this.#screen = screen;
  }

  /** Whole lines, safe for a terminal. */
  say(text: string): void {
    const hidden = this.#bottom.lines.length === 0 ? '' : hideCursor;
    this.#write(`${hidden}${this.#home()}${text}${painted(this.#bottom)}`);
  }

  paint(bottom: Bottom): void {
    this.#write(`${hideCursor}${this.#home()}${painted(bottom)}`);
    this.#bottom = bottom;
  }

  /** As if it had not been there. */
  [Symbol.dispose](): void {
    this.#write(`${this.#home()}${showCursor}`);
    this.#bottom = { lines: [], cursor: null };
  }

  /** A terminal that became narrower has wrapped what stood there: the first line is then further up. */
  #home(): string {
    const { lines, cursor } = this.#bottom;
    if (lines.length === 0) return '';
    const columns = Math.max(1, this.#screen.columns());
    const widths = lines.map((line) => displayWidth(stripVTControlCharacters(line)));
    const above = widths
      .slice(0, -1)
      .reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    const within = Math.floor((cursor ?? Math.max(0, (widths.at(-1) ?? 0) - 1)) / columns);
    const rows = Math.min(above + within, this.#screen.rows() - 1);
    return `\r${rows === 0 ? '' : `\u001B[${rows}A`}${clearBelow}`;
  }
}

function painted({ lines, cursor }: Bottom): string {
  const text = lines.join('\n');
  if (cursor === null) return text;
  return `${text}\r${cursor === 0 ? '' : `\u001B[${cursor}C`}${showCursor}`;
}
