import type { Tier } from '../turn.ts';

/** First words of actions by the tier that their work needs; everything else is research or analysis. */
const high = /^(?:implement|fix|build|code|refactor|migrate|develop)/i;
const low = /^(?:test|validat|verif|check|lint|format|typecheck)/i;

/** The tier of an action that declares none: implementation is high, validation low, research and analysis medium. */
export function defaultActionTier(action: string): Tier {
  if (high.test(action)) return 'high';
  return low.test(action) ? 'low' : 'medium';
}
