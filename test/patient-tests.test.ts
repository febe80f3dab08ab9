import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repository } from './rig/repository.ts';

/** Two minutes: a test that takes seconds alone can take a minute beside others. */
const leastLimitMs = 120_000;

/** Faults of a test that passes on a quiet machine and fails on a loaded one. */
function hastyLines(source: string): readonly string[] {
  return source.split('\n').filter((line) => {
    const [, limit] = /\btimeout: ([\d_]+_000)\b/.exec(line) ?? [];
    const isShort = limit !== undefined && Number(limit.replaceAll('_', '')) < leastLimitMs;
    return isShort || /expect\(.*\b(?:Date|performance)\.now\(\) - .*\)\.to/.test(line);
  });
}

test('no test asserts a wall-clock time or has a limit that a loaded machine reaches', () => {
  const files = globSync(['test/**/*.ts', 'src/**/*.test.ts'], {
    cwd: repository('.'),
    exclude: ['test/real/**', 'test/patient-tests.test.ts'],
  });
  expect(files.length).toBeGreaterThan(200);
  const hasty = files.flatMap((file) =>
    hastyLines(readFileSync(repository(file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(hasty).toEqual([]);
});

test('control: a short limit and a measured time are seen, and a long limit is not', () => {
  const planted = [
    '  timeout: 30_000,',
    'expect(Date.now() - before).toBeLessThan(5000);',
    '  timeout: 900_000,',
  ];
  expect(hastyLines(planted.join('\n'))).toEqual(planted.slice(0, 2));
});
