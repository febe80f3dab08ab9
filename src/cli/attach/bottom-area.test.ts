import { expect, test } from 'vitest';
import { BottomArea } from './bottom-area.ts';

function area() {
  let text = '';
  let width = 40;
  const stdout = { write: (part: string) => void (text += part) };
  const bottom = new BottomArea({
    process: { stdout, stderr: stdout },
    screen: {
      isTerminal: true,
      colour: false,
      columns: () => width,
      rows: () => 10,
      onResize: () => ({ [Symbol.dispose]: () => undefined }),
      isClosed: () => false,
      writeBytes: async () => undefined,
      drained: async () => undefined,
      writeProblem: async () => null,
    },
  });
  return {
    bottom,
    narrow: (to: number) => {
      width = to;
    },
    taken: () => {
      const all = text.replaceAll('\u001B', 'ESC');
      text = '';
      return all;
    },
  };
}

test('it is painted over itself, with the cursor in its last line', () => {
  const { bottom, taken } = area();
  bottom.paint({ lines: ['status', '› ab'], cursor: 3 });
  expect(taken()).toBe('ESC[?25lstatus\n› ab\rESC[3CESC[?25h');
  bottom.paint({ lines: ['status', '› '], cursor: 0 });
  expect(taken()).toBe('ESC[?25l\rESC[1AESC[Jstatus\n› \rESC[?25h');
});

test('what is said goes above it', () => {
  const { bottom, taken } = area();
  bottom.paint({ lines: ['status'], cursor: null });
  taken();
  bottom.say('one\ntwo\n');
  expect(taken()).toBe('ESC[?25l\rESC[Jone\ntwo\nstatus');
});

test('what a narrower terminal has wrapped is removed as well', () => {
  const { bottom, taken, narrow } = area();
  bottom.paint({ lines: ['x'.repeat(30), `› ${'y'.repeat(20)}`], cursor: 20 });
  taken();
  narrow(10);
  bottom.say('');
  // Three rows of the status, and the cursor in the third of the input.
  expect(taken()).toMatch(/^ESC\[\?25l\rESC\[5AESC\[J/);
});

test('whatever happens, the cursor is seen again, and nothing else is left', () => {
  const { bottom, taken } = area();
  bottom.paint({ lines: ['status', '› '], cursor: 2 });
  taken();
  bottom[Symbol.dispose]();
  bottom[Symbol.dispose]();
  expect(taken()).toBe('\rESC[1AESC[JESC[?25hESC[?25h');
  bottom.say('late news\n');
  expect(taken()).toBe('late news\n');
});
