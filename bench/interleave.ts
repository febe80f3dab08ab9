import type { Rounds } from './result.ts';

export interface Pair {
  /** Each does its work once and says what it took. */
  readonly floor: () => number | Promise<number>;
  readonly subject: () => number | Promise<number>;
}

/**
 * A B, B A, A B …: the machine is shared and its speed drifts, so the two sides of a round stand next to each other, and
 * neither always comes first. The first round only warms up.
 */
export async function interleave(pair: Pair, rounds: number, progress: () => void): Promise<Rounds> {
  const subjects: number[] = [];
  const floors: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const floorFirst = round % 2 === 0;
    const before = floorFirst ? await pair.floor() : null;
    const subject = await pair.subject();
    const floor = before ?? (await pair.floor());
    progress();
    if (round < 0) continue;
    subjects.push(subject);
    floors.push(floor);
  }
  return { subjects, floors };
}

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
