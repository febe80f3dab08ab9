import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, EntryKind } from '../model/entry.ts';
import { LaunchQueue } from './queue.ts';

function entry(key: string, priority: number, kind: EntryKind = 'task'): Entry {
  return {
    key,
    kind,
    attempt: 1,
    state: { at: 'open' },
    losses: 0,
    spec: null,
    sessionId: null,
    change: 0,
    priority,
    dueAt: null,
    openedAt: 0,
    endedAt: null,
  };
}

type Op =
  | { readonly op: 'add'; readonly priority: number; readonly kind: 'task' | 'session' }
  | { readonly op: 'take'; readonly slots: number }
  | { readonly op: 'remove'; readonly n: number };

const ops = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constant('add' as const),
      priority: fc.nat(3),
      kind: fc.constantFrom('task' as const, 'session' as const),
    }),
    fc.record({ op: fc.constant('take' as const), slots: fc.nat(3) }),
    fc.record({ op: fc.constant('remove' as const), n: fc.nat(30) }),
  ),
  { maxLength: 60 },
);

test('the queue is a sorted list: most critical first, then first come; what found no slot keeps its place', () => {
  fc.assert(
    fc.property(ops, fc.infiniteStream(fc.boolean()), (list: readonly Op[], returned) => {
      const queue = new LaunchQueue();
      let model: { key: string; priority: number; order: number; kind: string }[] = [];
      let count = 0;
      for (const one of list) {
        if (one.op === 'add') {
          const key = `k${count}`;
          queue.add(entry(key, one.priority, one.kind));
          model.push({ key, priority: one.priority, order: count, kind: one.kind });
          count += 1;
        } else if (one.op === 'remove') {
          queue.remove(`k${one.n}`);
          model = model.filter(({ key }) => key !== `k${one.n}`);
        } else {
          model.sort((a, b) => b.priority - a.priority || a.order - b.order);
          const first = (kind: string) => model.filter((item) => item.kind === kind).slice(0, one.slots);
          const expected = model.filter(
            (item) => first('task').includes(item) || first('session').includes(item),
          );
          const taken = queue.take(one.slots);
          expect(taken.map(({ entry: { key } }) => key)).toEqual(expected.map(({ key }) => key));
          for (const queued of taken) {
            if (returned.next().value === true) queue.putBack(queued);
            else model = model.filter(({ key }) => key !== queued.entry.key);
          }
        }
        expect(queue.size).toBe(model.length);
      }
    }),
    { numRuns: 500 },
  );
});

test('what cannot be launched is not queued', () => {
  const queue = new LaunchQueue();
  queue.add(entry('q', 1, 'ask'));
  expect(queue.size).toBe(0);
  expect(queue.take(5)).toEqual([]);
});
