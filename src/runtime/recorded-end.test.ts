import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatEnd, notStarted, parseEnd, type RecordedEnd } from './recorded-end.ts';

const clean: RecordedEnd = { exitCode: 0, signal: null, ended: null, problem: null, reason: null };

test('what is recorded is read back', () => {
  const ends = fc.record({
    exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
    signal: fc.option(fc.constantFrom('SIGTERM', 'SIGKILL', 'SIGRTMIN')),
    ended: fc.option(fc.constantFrom('timeout' as const, 'killed' as const, 'quota' as const)),
    problem: fc.option(
      fc.constantFrom('no-program' as const, 'no-directory' as const, 'not-started' as const),
    ),
    reason: fc.option(fc.stringMatching(/^[a-z]+( [a-z.]+)*$/)),
  });
  fc.assert(
    fc.property(ends, (end) => {
      expect(parseEnd(formatEnd(end))).toEqual(end);
    }),
  );
});

test('every torn record is seen to be torn', () => {
  const whole = formatEnd({ ...notStarted('spawn . E2BIG'), ended: 'killed' });
  for (let length = 0; length < whole.length; length += 1)
    expect(parseEnd(whole.slice(0, length))).toBeNull();
  expect(parseEnd(whole)).not.toBeNull();
});

test('no text makes reading fail', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, at) => {
      const whole = formatEnd(clean);
      expect(() => parseEnd(text)).not.toThrow();
      expect(() => parseEnd(whole.slice(0, at) + text + whole.slice(at))).not.toThrow();
    }),
  );
});

test('of what a shell reports, only signals that end programs are read as signals', () => {
  expect(parseEnd('exit 137 ? - - - .\n')).toEqual({ ...clean, exitCode: null, signal: 'SIGKILL' });
  expect(parseEnd('exit 129 ? - - - .\n')).toEqual({ ...clean, exitCode: 129 });
  // Control: a launcher that knows better is believed.
  expect(parseEnd('exit 137 - - - - .\n')).toEqual({ ...clean, exitCode: 137 });
});
