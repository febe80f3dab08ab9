import type { SpecRef } from './capability-map.ts';

/** Does a quote occur in the specification, word for word? How its lines are broken does not matter. */
export function quoteFinder(specText: string): (ref: SpecRef) => boolean {
  const spec = folded(specText);
  const known = new Map<string, boolean>();
  return (ref) => {
    if (typeof ref === 'string') return true;
    const seen = known.get(ref.quote);
    if (seen !== undefined) return seen;
    const quote = folded(ref.quote);
    const found = quote !== '' && spec.includes(quote);
    known.set(ref.quote, found);
    return found;
  };
}

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
