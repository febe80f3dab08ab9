import type { Entry } from '../model/entry.ts';

export interface Queued {
  readonly entry: Entry;
  readonly order: number;
}

/** What waits for a slot: most critical first, then first come. A binary heap, because a plan may open thousands. */
export class LaunchQueue {
  readonly #heap: Queued[] = [];
  readonly #gone = new Set<string>();
  #order = 0;

  get size(): number {
    return this.#heap.length - this.#gone.size;
  }

  add(entry: Entry): void {
    this.putBack({ entry, order: this.#order });
    this.#order += 1;
  }

  /** In its old place: it was taken, and found no slot. */
  putBack(queued: Queued): void {
    this.#gone.delete(queued.entry.key);
    this.#heap.push(queued);
    this.#up(this.#heap.length - 1);
  }

  /** Nobody waits for it any more. */
  remove(key: string): void {
    if (this.#heap.some(({ entry }) => entry.key === key)) this.#gone.add(key);
  }

  take(): Queued | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined) return undefined;
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#down(0);
      }
      if (!this.#gone.delete(top.entry.key)) return top;
    }
  }

  #before(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return left !== undefined;
    const lead = left.entry.priority - right.entry.priority;
    return lead === 0 ? left.order < right.order : lead > 0;
  }

  #up(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #down(start: number): void {
    let index = start;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let first = index;
      if (left < this.#heap.length && this.#before(left, first)) first = left;
      if (right < this.#heap.length && this.#before(right, first)) first = right;
      if (first === index) return;
      this.#swap(index, first);
      index = first;
    }
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (left === undefined || right === undefined) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }
}
