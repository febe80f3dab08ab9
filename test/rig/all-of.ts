/** Everything that comes one after another. */
export async function allOf<T>(each: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of each) all.push(one);
  return all;
}
