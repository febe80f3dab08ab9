/** The middle one of what is known; null when nothing is. One odd run does not move it. */
export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const [low, high] = [known[Math.ceil(known.length / 2) - 1], known[Math.floor(known.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
