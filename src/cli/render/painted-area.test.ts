import { expect, test } from 'vitest';
import { PaintedArea } from './painted-area.ts';

function area(columns: number, rows: number) {
  let text = '';
  let width = columns;
  const painted = new PaintedArea({
    process: { stdout: { write: (part) => void (text += part) }, stderr: { write: () => undefined } },
    screen: {
      isTerminal: true,
      colour: false,
      columns: () => width,
      rows: () => rows,
      onResize: () => ({ [Symbol.dispose]: () => undefined }),
      isClosed: () => false,
      writeBytes: async () => undefined,
      drained: async () => undefined,
      writeProblem: async () => null,
    },
  });
  return {
    painted,
    narrow: (to: number) => {
      width = to;
    },
    taken: () => {
      const all = text;
      text = '';
      return all;
    },
  };
}

test('each painting goes over the one before, and the cursor comes back at the end', () => {
  const { painted, taken } = area(80, 24);
  painted.paint(['one', 'two']);
  expect(taken()).toBe('\u001B[?25lone\ntwo\n');
  painted.paint(['three']);
  expect(taken()).toBe('\r\u001B[2A\u001B[Jthree\n');
  painted[Symbol.dispose]();
  expect(taken()).toBe('\u001B[?25h');
  painted[Symbol.dispose]();
  expect(taken()).toBe('');
});

test('what is said stays above what is painted', () => {
  const { painted, taken } = area(80, 24);
  painted.paint(['frame']);
  taken();
  painted.say('news');
  expect(taken()).toBe('\r\u001B[1A\u001B[Jnews\nframe\n');
});

test('a terminal that became narrower has wrapped the lines, and they are all taken away', () => {
  const { painted, narrow, taken } = area(80, 24);
  painted.paint(['x'.repeat(60), 'y']);
  taken();
  narrow(30);
  painted.paint(['z']);
  expect(taken()).toBe('\r\u001B[3A\u001B[Jz\n');
});

test('it never climbs higher than the screen', () => {
  const { painted, taken } = area(80, 4);
  painted.paint(['1', '2', '3', '4', '5', '6']);
  taken();
  painted.paint(['a']);
  expect(taken()).toContain('\u001B[3A');
});
