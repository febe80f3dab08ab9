import { expect, test } from 'vitest';
import { claims, harmless } from './success/claims.ts';
import { placesIn, successPlaces } from './success/places.ts';
import { type SceneName, scenes } from './success/scenes.ts';

test('every place that prints success is known, with the scenes that compare it with evidence', () => {
  const known = [...Object.keys(claims), ...Object.keys(harmless)];
  expect(successPlaces().toSorted()).toEqual(known.toSorted());
});

test('control: a new place that prints success is found', () => {
  const code =
    "function sayAll() {\n  if (state === 'done') print(`✔ ${count} landed`);\n  print('approved');\n}\n";
  expect(placesIn('src/cli/new.ts', code)).toEqual([
    'new.ts › sayAll › ✔ … landed',
    'new.ts › sayAll › approved',
  ]);
});

const byScene = Map.groupBy(Object.entries(claims), ([, { scene }]) => scene);

test('every scene is of a place that prints success', () => {
  expect([...byScene.keys()].toSorted()).toEqual(Object.keys(scenes).toSorted());
});

test.each([...byScene])(
  'where %s, success is printed only with its evidence',
  async (name: SceneName, places) => {
    const [good, bad] = [await scenes[name].good(), await scenes[name].bad()];
    for (const [place, { success }] of places) {
      expect(good, place).toMatch(success);
      expect(bad, place).not.toMatch(success);
      // What did not happen is told, not passed over.
      expect(bad.trim(), place).not.toBe('');
    }
  },
);
