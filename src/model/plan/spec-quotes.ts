import type { SpecRef } from './capability-map.ts';

/**
 * Does a quote occur in the specification, word for word? How its lines are broken does not matter. A large plan has
 * thousands of quotes, so each is looked for only where its rarest word stands.
 */
export function quoteFinder(specText: string): (ref: SpecRef) => boolean {
  const spec = folded(specText);
  const known = new Map<string, boolean>();
  let places: ReadonlyMap<string, readonly number[]> | null = null;
  return (ref) => {
    if (typeof ref === 'string') return true;
    const seen = known.get(ref.quote);
    if (seen !== undefined) return seen;
    places ??= wordPlaces(spec);
    const found = occurs(folded(ref.quote), spec, places);
    known.set(ref.quote, found);
    return found;
  };
}

function occurs(quote: string, spec: string, places: ReadonlyMap<string, readonly number[]>): boolean {
  const [first = '', ...others] = quote.split(' ');
  const whole = others.slice(0, -1);
  // A quote may begin and end within a word; with none between those two there is no word to look for.
  if (whole.length === 0) return quote !== '' && spec.includes(quote);
  let before = first.length + 1;
  const { at, offset } = whole
    .map((word) => {
      const candidate = { at: places.get(word) ?? [], offset: before };
      before += word.length + 1;
      return candidate;
    })
    .reduce((rarest, each) => (each.at.length < rarest.at.length ? each : rarest));
  return at.some((place) => spec.startsWith(quote, place - offset));
}

/** Each word with where it begins. */
function wordPlaces(spec: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  let start = 0;
  for (const word of spec.split(' ')) {
    const known = places.get(word);
    if (known === undefined) places.set(word, [start]);
    else known.push(start);
    start += word.length + 1;
  }
  return places;
}

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
