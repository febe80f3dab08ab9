import { expect, test } from 'vitest';
import { claims, harmless } from './success/claims.ts';
import { placesIn, successPlaces } from './success/places.ts';

test('every place that prints success is known, with the scenes that compare it with evidence', () => {
  const known = [...Object.keys(claims), ...Object.keys(harmless)];
  expect(successPlaces().toSorted()).toEqual(known.toSorted());
});

test('control: a new place that prints success is found', () => {
  const code =
    "function sayAll() {\n  if (state === 'done') print(`${glyphs.good} ${count} landed`);\n  print('approved');\n}\n";
  expect(placesIn('src/cli/new.ts', code)).toEqual([
    'new.ts › sayAll › … … landed',
    'new.ts › sayAll › ✔',
    'new.ts › sayAll › approved',
  ]);
});
