import { activityWords } from '../../app/sessions/activity.ts';
import { elapsedMs } from '../../app/sessions/session-row.ts';
import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Activity } from '../../model/activity.ts';
import type { Session } from '../../model/session.ts';
import { type Mark, marks } from '../render/marks.ts';
import type { Paint } from '../render/style.ts';
import { displayWidth, fit } from '../render/width.ts';
import { glyphs } from '../../lib/glyphs.ts';

export interface StatusLineParams {
  readonly session: Session;
  readonly activity: Activity;
  readonly now: number;
  readonly columns: number;
  readonly paint: Paint;
  /** What a person may do; left out first where there is no room. */
  readonly hint: string;
}

/** `● 20251118-153042-chat · chat · RUNNING 12s · working · Ctrl-C detaches`; on a narrow screen only what changes. */
export function statusLine({ session, activity, now, columns, paint, hint }: StatusLineParams): string {
  const [glyph, tone] = activityMark(activity);
  const words = [session.id, oneLine(session.agent), statusWords(session, now), activityText(activity), hint];
  // What is dropped first, second and third.
  for (const place of [4, 1, 0]) {
    if (displayWidth(joined(words)) <= columns - 2) break;
    words[place] = '';
  }
  return `${paint(tone, glyph)} ${paint('strong', fit(joined(words), columns - 2))}`;
}

function statusWords(session: Session, now: number): string {
  return `${session.status} ${formatDuration(elapsedMs(session, now))}`;
}

function activityText(activity: Activity): string {
  const words = activityWords(activity);
  const word = words.activity.replace('_', ' ');
  return words.activity_detail === null ? word : `${word}: ${oneLine(words.activity_detail)}`;
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' · ');
}

function activityMark({ at }: Activity): Mark {
  switch (at) {
    case 'starting':
      return marks.idle;
    case 'working':
      return marks.busy;
    case 'waiting':
    case 'limit-paused':
    case 'stalled':
      return marks.waiting;
    case 'dead':
      return marks.bad;
    case 'finished':
      return [glyphs.busy, 'quiet'];
  }
}
