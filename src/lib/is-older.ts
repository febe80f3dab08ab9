/** Versions as numbers with dots; what is left out is 0. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [numbers(version), numbers(than)];
  for (const [index, wanted] of right.entries()) {
    const difference = (left[index] ?? 0) - wanted;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbers(version: string): readonly number[] {
  return version.split('.').map(Number);
}
