/** A line of a log, and the byte at which it begins. */
export interface LogLine {
  readonly text: string;
  readonly offset: number;
}

/** As in `logLines`, so that a person sees what is judged: what is longer is cut, and a flood does not fill our memory. */
const maxLine = 4 * 1024 * 1024;
const newline = 10;

/** Cuts bytes into lines, wherever their pieces end. A line that is not whole yet is held back. */
export class LineCutter {
  readonly #decoder = new TextDecoder();
  #text = '';
  #from = 0;

  *push(bytes: Buffer, offset: number): Generator<LogLine> {
    // In UTF-8 a newline is never part of another character: those of the bytes are those of the text.
    const [first = '', ...more] = this.#decoder.decode(bytes, { stream: true }).split('\n');
    this.#add(first);
    let end = -1;
    for (const text of more) {
      yield this.#taken();
      end = bytes.indexOf(newline, end + 1);
      this.#from = offset + end + 1;
      this.#add(text);
    }
  }

  /** The last line, which nobody ended. */
  *rest(): Generator<LogLine> {
    this.#add(this.#decoder.decode());
    if (this.#text !== '') yield this.#taken();
  }

  #add(text: string): void {
    if (this.#text.length < maxLine) this.#text += text.slice(0, maxLine - this.#text.length);
  }

  #taken(): LogLine {
    const line = { text: this.#text, offset: this.#from };
    this.#text = '';
    return line;
  }
}
