import { expect, test } from 'vitest';
import { formatBytes, parseBytes } from './bytes.ts';

test.each([
  ['0', 0],
  ['512', 512],
  ['64k', 65_536],
  ['1KB', 1024],
  ['500MB', 524_288_000],
  ['500 MiB', 524_288_000],
  ['1.5GB', 1_610_612_736],
  ['2T', 2_199_023_255_552],
  ['', null],
  ['MB', null],
  ['-1', null],
  ['1 000', null],
  ['5XB', null],
  ['1e3', null],
  ['99999999999T', null],
])('%j is an amount of %j bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [524_288_000, '500 MB'],
  [104_857_599, '100 MB'],
  [1_610_612_736, '1.5 GB'],
  [5e15, '4547 TB'],
])('%d bytes are read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
