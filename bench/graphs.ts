import { randomOf } from './random.ts';

export interface GraphStep {
  readonly id: string;
  readonly needs: readonly string[];
}

export type Graph = readonly GraphStep[];

export function independent(count: number): Graph {
  return ids(count).map((id) => ({ id, needs: [] }));
}

/** Each step needs each earlier one with a small probability: on average one and a half. */
export function sparse(count: number, seed: number): Graph {
  const random = randomOf(seed);
  const chance = 3 / (count - 1);
  return ids(count).map((id, index, all) => ({
    id,
    needs: all.slice(0, index).filter(() => random() < chance),
  }));
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

/** One step, then `width` at once, then one that needs them all, and so on. */
export function forkJoin(count: number, width: number): Graph {
  const all = ids(count);
  return all.map((id, index) => {
    const place = index % (width + 1);
    const joint = all[index - place] ?? '';
    if (place > 0) return { id, needs: [joint] };
    return { id, needs: all.slice(Math.max(0, index - width), index) };
  });
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `s${index}`);
}
