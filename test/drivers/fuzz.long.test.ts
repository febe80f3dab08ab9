import { describe, expect, test } from 'vitest';
import { interactiveReader } from '../../src/drivers/interactive.ts';
import { stopReasonOf } from '../../src/drivers/stop-reason.ts';
import type { DriverReader } from '../../src/model/driver.ts';
import { driverOfSubject } from './conformance.ts';
import { fuzz } from './fuzz.ts';
import { subjects } from './subjects/all.ts';
import { claude } from './subjects/claude.ts';
import { codex } from './subjects/codex.ts';

const count = 20_000;

test.each(subjects)(
  '20,000 spoiled logs of $name: no crash, no wait, no success that was destroyed',
  (subject) => {
    const driver = driverOfSubject(subject);
    const { found, finished } = fuzz(subject, () => driver.reader(), { seed: 20_261_115, count });
    expect(found).toEqual([]);
    expect(finished).toBeGreaterThan(count / 50);
    expect(finished).toBeLessThan(count * 0.9);
  },
);

test('20,000 spoiled logs of an interface, which tells by hooks', () => {
  const good = [
    '{"event":"ready"}',
    '{"event":"working","tool":"Write"}',
    '{"event":"turn-done","message":"done"}',
  ];
  const hooks = { good, cases: [], limits: [], mayFinish: () => true };
  expect(fuzz(hooks, interactiveReader, { seed: 7, count }).found).toEqual([]);
});

describe('a reader that makes the mistake is found', () => {
  const silent = (line: (line: string) => void, stop: DriverReader['stop'] = stopReasonOf): DriverReader => ({
    line: (text) => {
      line(text);
      return [];
    },
    stop,
  });
  const found = (subject: typeof claude, newReader: () => DriverReader) =>
    fuzz(subject, newReader, { seed: 1, count }).found.map(({ what }) => what);

  test('that looks for the word success', () => {
    const naive = (): DriverReader => {
      let success = false;
      const line = (text: string): void => {
        success ||= text.includes('"subtype":"success"');
      };
      return silent(line, (end) => (success && stopReasonOf(end) === 'finished' ? 'finished' : 'failed'));
    };
    expect(found(claude, naive)).toContain('false success');
  });

  test('that takes the first end of a turn for the last', () => {
    const naive = (): DriverReader => {
      let completed = false;
      const line = (text: string): void => {
        completed ||= text.startsWith('{"type":"turn.completed"');
      };
      return silent(line, (end) => (completed && stopReasonOf(end) === 'finished' ? 'finished' : 'failed'));
    };
    expect(found(codex, naive)).toContain('false success');
  });

  test('that believes every line to be what it was', () => {
    const naive = (): DriverReader =>
      silent((text) => {
        const { message } = JSON.parse(text) as { readonly message: { readonly content: readonly object[] } };
        message.content.at(0);
      });
    expect(found(claude, naive)).toContain('crash');
  });

  test('that passes on what it finds', () => {
    const naive = (): DriverReader => ({
      line: (text) => {
        const [, tokens] = /"input_tokens":([-0-9e.]+)/.exec(text) ?? [];
        const usage = { inputTokens: Number(tokens), outputTokens: null, costUsd: null };
        return tokens === undefined ? [] : [{ type: 'usage', usage }];
      },
      stop: () => 'failed',
    });
    expect(found(claude, naive)).toContain('no event');
  });

  test('that takes its time with a long line', () => {
    const ponder = (): void => {
      const before = process.cpuUsage();
      while (process.cpuUsage(before).user < 60_000);
    };
    const naive = (): DriverReader =>
      silent(
        (text) => {
          if (text.length > 100_000) ponder();
        },
        () => 'failed',
      );
    const { found: slow } = fuzz(claude, naive, { seed: 1, count, slowMs: 50 });
    expect(slow[0]?.what).toBe('slow');
  });

  test('that remembers other turns', () => {
    let turns = 0;
    const naive = (): DriverReader => {
      turns += 1;
      const own = turns;
      return silent(
        () => undefined,
        () => (own % 2 === 0 ? 'failed' : 'crashed'),
      );
    };
    expect(found(claude, naive)).toContain('unlike itself');
  });
});
