/** `; did you mean 'x'?` after a sentence about a name that is not known, or nothing where none is near. */
export function didYouMean(wanted: string, candidates: readonly string[]): string {
  const meant = nearest(wanted, candidates);
  return meant === null ? '' : `; did you mean '${meant}'?`;
}

/** The candidate a person most likely meant, or null when none is near enough to be worth naming. */
export function nearest(wanted: string, candidates: readonly string[]): string | null {
  const reach = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestDistance = reach + 1;
  for (const candidate of candidates) {
    // The difference in length is a lower bound, and keeps hostile lengths from costing anything.
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const current = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[line - 1] === to[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        line > 1 && column > 1 && from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return Number(row[column]);
}
