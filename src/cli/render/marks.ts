import { glyphs } from '../../lib/glyphs.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Tone } from './style.ts';

/** A glyph in its tone. */
export type Mark = readonly [glyph: string, tone: Tone];

export const marks = {
  good: [glyphs.good, 'good'],
  bad: [glyphs.bad, 'bad'],
  busy: [glyphs.busy, 'busy'],
  waiting: [glyphs.waiting, 'waiting'],
  idle: [glyphs.idle, 'quiet'],
  note: [glyphs.note, 'quiet'],
} as const satisfies Readonly<Record<keyof typeof glyphs, Mark>>;

/** How a run or a session ended, or what it does as long as it has no outcome. */
export function outcomeMark(outcome: Outcome | null, state: string): Mark {
  if (outcome === 'SUCCESS') return marks.good;
  if (outcome === 'HALTED' || outcome === 'INTERRUPTED' || outcome === 'PARTIAL_SUCCESS')
    return marks.waiting;
  if (outcome !== null) return marks.bad;
  return state === 'running' ? marks.busy : marks.waiting;
}
