import type { Tier } from '../turn.ts';

/** The words for a tier: `medium`, or `medium-tier`. */
export const tierWords = ['low', 'medium', 'high', 'low-tier', 'medium-tier', 'high-tier'] as const;

export const tierByWord: Readonly<Record<(typeof tierWords)[number], Tier>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  'low-tier': 'low',
  'medium-tier': 'medium',
  'high-tier': 'high',
};

/** The tier that a text means; null: it means something else. */
export function findTier(text: string | null): Tier | null {
  const word = tierWords.find((each) => each === text);
  return word === undefined ? null : tierByWord[word];
}
