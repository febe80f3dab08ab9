import { expect, test } from 'vitest';
import { claims } from './success/claims.ts';
import { type SceneName, scenes } from './success/scenes.ts';

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
