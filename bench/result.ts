import { spreadOf, type Spread } from './spread.ts';

/** `none`: nothing may be concluded, and `why` says the reason. */
type Verdict = 'met' | 'missed' | 'none';

/** One bar: what was compared with what, how often, and what came out. */
export interface Result {
  readonly bench: string;
  readonly name: string;
  readonly subject: string;
  readonly floor: string;
  readonly unit: string;
  readonly rounds: number;
  /** Null where the bar is about a ratio that has no measured sides, or where nothing could be measured. */
  readonly subjectSpread: Spread | null;
  readonly floorSpread: Spread | null;
  /** Of the rounds' own ratios, not the ratio of two medians: both sides of a round met the same machine. */
  readonly ratio: Spread | null;
  /** What the bar is held against: the median of the ratios, unless the bar is about another percentile. */
  readonly figure: number | null;
  readonly bar: number;
  readonly verdict: Verdict;
  readonly why: string | null;
}

export interface Sides {
  readonly bench: string;
  readonly name: string;
  readonly subject: string;
  readonly floor: string;
  readonly unit: string;
  readonly bar: number;
}

/** What the two sides of every round took. */
export interface Rounds {
  readonly subjects: readonly number[];
  readonly floors: readonly number[];
}

/** A floor that moves more than this by itself can carry no verdict. */
const noisy = 0.3;

export function resultOf(sides: Sides, { subjects, floors }: Rounds): Result {
  const ratio = spreadOf(subjects.map((subject, round) => subject / (floors[round] ?? Number.NaN)));
  const floorSpread = spreadOf(floors);
  const noise = (floorSpread.q3 - floorSpread.q1) / floorSpread.median;
  const silent = noise > noisy;
  return {
    ...sides,
    rounds: subjects.length,
    subjectSpread: spreadOf(subjects),
    floorSpread,
    ratio,
    figure: ratio.median,
    verdict: silent ? 'none' : ratio.median <= sides.bar ? 'met' : 'missed',
    why: silent ? `the floor itself moved by ${Math.round(noise * 100)} % (IQR / median)` : null,
  };
}

export function notMeasured(sides: Sides, why: string): Result {
  return {
    ...sides,
    rounds: 0,
    subjectSpread: null,
    floorSpread: null,
    ratio: null,
    figure: null,
    verdict: 'none',
    why,
  };
}
