import { randomOf } from './random.ts';

interface GraphStep {
  readonly id: string;
  readonly needs: readonly string[];
}

export type Graph = readonly GraphStep[];

export function independent(count: number): Graph {
  return ids(count).map((id) => ({ id, needs: [] }));
}

/** Layers of `width`; each step needs one to three of the layer before. */
export function layered(count: number, width: number, seed: number): Graph {
  const random = randomOf(seed);
  return ids(count).map((id, index, all) => {
    const layer = Math.floor(index / width);
    const before = all.slice((layer - 1) * width, layer * width);
    if (layer === 0) return { id, needs: [] };
    const picks = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      return before[Math.floor(random() * before.length)] ?? '';
    });
    return { id, needs: [...new Set(picks)] };
  });
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `s${index}`);
}
