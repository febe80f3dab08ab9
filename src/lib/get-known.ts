/** What a map is known to have. That it is missing would be a mistake in here, not in what came from outside. */
export function getKnown<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`not there: ${String(key)}`);
  return value;
}
