import { expect, test } from 'vitest';
import { preset } from '../../src/drivers/opencode/preset.ts';
import { Retries } from '../../src/runtime/acp/retries.ts';

test('the reason of a retry of opencode is its error alone, or the whole line', () => {
  const pattern = preset.complaint ?? '';
  const line = (error: string): string =>
    `timestamp=2026-11-18T19:44:00.879Z level=ERROR run=95e0a895 message="stream error" small=false mode=primary${error}`;
  const trying = new Retries(pattern);
  expect(
    trying.hear(`${line(String.raw` error.error="AI_APICallError: Rate \"x\" exceeded"`)}\n`, 1, 0),
  ).toEqual(['Rate "x" exceeded']);
  expect(trying.why).toBe('Rate "x" exceeded');
  expect(trying.hear(`${line('')}\n`, 1, 0)).toEqual([line('')]);
});
