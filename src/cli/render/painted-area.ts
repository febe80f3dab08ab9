import { stripVTControlCharacters } from 'node:util';
import type { Context, Screen } from '../context.ts';
import { displayWidth } from './width.ts';

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const clearBelow = '\u001B[J';

/** The last lines of a terminal, painted over and over; what is said meanwhile goes above them. */
export class PaintedArea implements Disposable {
  readonly #write: (text: string) => void;
  readonly #screen: Screen;
  #lines: readonly string[] = [];
  #hidden = false;

  constructor({ process, screen }: Pick<Context, 'process' | 'screen'>) {
    this.#write = (text) => {
      process.stdout.write(text);
    };
    this.#screen = screen;
  }

  paint(lines: readonly string[]): void {
    const start = this.#hidden ? '' : hideCursor;
    this.#hidden = true;
    this.#write(`${start}${this.#home()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines;
  }

  /** A line that stays, above the painted ones. */
  say(line: string): void {
    const lines = this.#lines;
    this.#write(`${this.#home()}${line}\n`);
    this.#lines = [];
    if (lines.length > 0) this.paint(lines);
  }

  /** Whatever happens, the person gets their cursor back. */
  [Symbol.dispose](): void {
    if (this.#hidden) this.#write(showCursor);
    this.#hidden = false;
  }

  /** A terminal that became narrower has wrapped what stood there, so it takes more rows than it had lines. */
  #home(): string {
    const columns = Math.max(1, this.#screen.columns());
    const taken = this.#lines.map((line) =>
      Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns)),
    );
    const rows = Math.min(
      taken.reduce((sum, count) => sum + count, 0),
      this.#screen.rows() - 1,
    );
    return rows === 0 ? '' : `\r\u001B[${rows}A${clearBelow}`;
  }
}
