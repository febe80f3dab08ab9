import { isLaunchable, type Entry, type LaunchableKind } from '../model/entry.ts';

export interface Queued {
  readonly entry: Entry;
  readonly order: number;
}

/** What waits for a slot: most critical first, then first come. Heaps, because a plan may open thousands. */
export class LaunchQueue {
  // One for each kind: sessions that wait for the project's quota must not hold up operations, which need none.
  readonly #heaps: Readonly<Record<LaunchableKind, Queued[]>> = { task: [], session: [] };
  #order = 0;

  get size(): number {
    return this.#heaps.task.length + this.#heaps.session.length;
  }

  add(entry: Entry): void {
    this.putBack({ entry, order: this.#order });
    this.#order += 1;
  }

  /** In its old place: it was taken, and found no slot. */
  putBack(queued: Queued): void {
    if (!isLaunchable(queued.entry.kind)) return;
    const heap = this.#heaps[queued.entry.kind];
    heap.push(queued);
    up(heap, heap.length - 1);
  }

  /** Nobody waits for it any more. */
  remove(key: string): void {
    for (const heap of [this.#heaps.task, this.#heaps.session]) {
      const index = heap.findIndex(({ entry }) => entry.key === key);
      if (index >= 0) removeAt(heap, index);
    }
  }

  /**
   * The first ones of each kind, in one order: as many as could be launched if everything else had to wait. Those that must
   * wait for something else than a slot stay in their place.
   */
  take(slots: number, mustWait: (entry: Entry) => boolean = () => false): readonly Queued[] {
    const waiting: Queued[] = [];
    const may = (queued: Queued): boolean => {
      if (!mustWait(queued.entry)) return true;
      waiting.push(queued);
      return false;
    };
    const taken = [...takeFrom(this.#heaps.task, slots, may), ...takeFrom(this.#heaps.session, slots, may)];
    for (const queued of waiting) this.putBack(queued);
    return taken.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  }
}

function isBefore(a: Queued, b: Queued): boolean {
  const lead = a.entry.priority - b.entry.priority;
  return lead === 0 ? a.order < b.order : lead > 0;
}

function takeFrom(heap: Queued[], count: number, may: (queued: Queued) => boolean): Queued[] {
  const taken: Queued[] = [];
  for (let first = heap[0]; first !== undefined && taken.length < count; first = heap[0]) {
    if (may(first)) taken.push(first);
    removeAt(heap, 0);
  }
  return taken;
}

function removeAt(heap: Queued[], index: number): void {
  const last = heap.pop();
  if (last === undefined || index === heap.length) return;
  heap[index] = last;
  up(heap, index);
  down(heap, index);
}

function up(heap: Queued[], start: number): void {
  let index = start;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!swapIfBefore(heap, index, parent)) return;
    index = parent;
  }
}

function down(heap: Queued[], start: number): void {
  let index = start;
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
    if (left === undefined) return;
    const child = right !== undefined && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
    if (!swapIfBefore(heap, child, index)) return;
    index = child;
  }
}

function swapIfBefore(heap: Queued[], lower: number, upper: number): boolean {
  const [a, b] = [heap[lower], heap[upper]];
  if (a === undefined || b === undefined || !isBefore(a, b)) return false;
  heap[lower] = b;
  heap[upper] = a;
  return true;
}
