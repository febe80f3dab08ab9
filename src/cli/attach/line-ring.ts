/** What is kept of lines that are very long; one that is longer takes the place of all. */
const keptBytes = 4 * 1024 * 1024;

/**
 * The last lines of many. Their bytes are kept in one place that is written over and over: of a large log millions pass
 * here, and as texts they would be collected too late.
 */
export class LineRing {
  /** How many were dropped. */
  skipped = 0;
  readonly #starts: Float64Array;
  readonly #sizes: Float64Array;
  #bytes: Buffer;
  #added = 0;
  #end = 0;

  constructor(count: number, bytes = keptBytes) {
    this.#starts = new Float64Array(count);
    this.#sizes = new Float64Array(count);
    this.#bytes = Buffer.allocUnsafe(bytes);
  }

  add(line: string): void {
    const size = Buffer.byteLength(line);
    // One byte more, so that an empty line has a place too.
    this.#makeRoom(size + 1);
    const at = this.#added % this.#starts.length;
    this.#bytes.write(line, this.#end);
    this.#starts[at] = this.#end;
    this.#sizes[at] = size;
    this.#added += 1;
    this.#end += size + 1;
  }

  *lines(): Generator<string> {
    for (let n = this.skipped; n < this.#added; n += 1) {
      const start = this.#startOf(n);
      yield this.#bytes.toString('utf8', start, start + (this.#sizes[n % this.#sizes.length] ?? 0));
    }
  }

  #makeRoom(size: number): void {
    if (size > this.#bytes.length) {
      this.skipped = this.#added;
      this.#bytes = Buffer.allocUnsafe(size);
      this.#end = 0;
      return;
    }
    if (this.#added - this.skipped === this.#starts.length) this.skipped += 1;
    if (this.#end + size > this.#bytes.length) {
      // Those at the far end are the oldest, and go first.
      this.#dropWhile((start) => start >= this.#end);
      this.#end = 0;
    }
    const until = this.#end + size;
    this.#dropWhile((start) => start >= this.#end && start < until);
  }

  #dropWhile(isInTheWay: (start: number) => boolean): void {
    while (this.skipped < this.#added && isInTheWay(this.#startOf(this.skipped))) this.skipped += 1;
  }

  #startOf(n: number): number {
    return this.#starts[n % this.#starts.length] ?? 0;
  }
}
