import type { Result } from './result.ts';

export interface BenchParts {
  readonly rounds: number;
  /** A folder of this bench's own, empty. */
  readonly folder: string;
  /** One dot for whoever waits. */
  readonly progress: () => void;
}

export interface Bench {
  readonly name: string;
  readonly about: string;
  run(parts: BenchParts): Promise<readonly Result[]>;
}
