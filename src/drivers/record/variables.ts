import type { ReadTurn } from '../../model/driver.ts';

/** Shorter than this, a value is likely to stand in a text by chance. */
const shortest = 6;

const names =
  'WORKSPACE|PROJECT|RUN_ID|STEP|ATTEMPT|TURN|SESSION_ID|SESSION_DIR|AGENT|PLAN_DIR|SPEC_SHA256|CAPABILITY_MAP_SHA256|OPEN';

/**
 * Puts `{WORKSPACE}` and the like in place of what was different for this session and will be for the next, so that a
 * cassette can be played elsewhere. What looked like a variable already is kept from being one.
 */
export function generalised(turn: Pick<ReadTurn, 'spec' | 'place' | 'runId'>): (text: string) => string {
  const { sessionDir, sessionId, projectDir } = turn.place;
  const known: readonly (readonly [value: string, name: string])[] = [
    [sessionDir, 'SESSION_DIR'],
    [turn.spec.workspace, 'WORKSPACE'],
    [projectDir, 'PROJECT'],
    [sessionId, 'SESSION_ID'],
    [turn.runId, 'RUN_ID'],
  ];
  const nameOf = new Map<string, string>();
  for (const [value, name] of known) {
    if (value.length >= shortest && !nameOf.has(value)) nameOf.set(value, name);
  }
  const values = [...nameOf.keys()].toSorted((a, b) => b.length - a.length).map(literal);
  // Not in the middle of a longer name.
  const pattern = new RegExp(`\\{(?=(?:${names})\\})|(?<![\\w-])(?:${values.join('|')})(?![\\w-])`, 'g');
  const braces = new RegExp(`\\{(?=(?:${names})\\})`, 'g');
  return (text) =>
    text.replaceAll(values.length === 0 ? braces : pattern, (found) => `{${nameOf.get(found) ?? 'OPEN'}}`);
}

/** `RegExp.escape`, which Node 22 does not have. */
function literal(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** The same in every text of a value. */
export function generalisedAll(value: unknown, generalise: (text: string) => string): unknown {
  if (typeof value === 'string') return generalise(value);
  if (Array.isArray(value)) return value.map((item) => generalisedAll(item, generalise));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [generalise(name), generalisedAll(member, generalise)]),
  );
}
