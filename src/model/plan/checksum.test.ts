import { expect, test } from 'vitest';
import { contentAddress, digestText } from '../../lib/digest.ts';
import { documentDigest, isChecksumOf } from './checksum.ts';

test('a checksum is taken as sha256sum prints it and as Tutti shortens it, and no shorter', () => {
  const whole = contentAddress('x');
  for (const given of [whole, whole.toUpperCase(), `sha256:${whole}`, digestText('x')]) {
    expect(isChecksumOf(given, 'x')).toBe(true);
    expect(isChecksumOf(given, 'y')).toBe(false);
  }
  for (const given of [whole.slice(0, 15), '', `${whole}0`, 'z'.repeat(64)])
    expect(isChecksumOf(given, 'x')).toBe(false);
});

test('equal documents have equal digests, others have others', () => {
  expect(documentDigest({ a: 1 })).toBe(documentDigest({ a: 1 }));
  expect(documentDigest({ a: 1 })).not.toBe(documentDigest({ a: 2 }));
});
