import { expect, test } from 'vitest';
import { trustFileForm } from './trust.ts';

const digest = '0123456789abcdef0123456789abcdef';

test('one digest for a path, as the first version kept it, is read as a list of one', () => {
  const repository = (surface: unknown) => ({
    '/home/ann/shop': { trusted_at: '2026-01-01T00:00:00.000Z', surfaces: { 'tutti.yaml': surface } },
  });
  const read = (version: number, surface: unknown) =>
    trustFileForm.parse({ version, repositories: repository(surface) }).repositories['/home/ann/shop'];
  const expected = { surfaces: { 'tutti.yaml': [digest] }, commands: [], declined: null };
  expect(read(1, digest)).toMatchObject(expected);
  expect(read(2, [digest])).toMatchObject(expected);
});
