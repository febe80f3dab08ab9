/** The members for which it holds, asked one after another. */
export async function filterAsync<T>(
  list: readonly T[],
  holds: (member: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const member of list) if (await holds(member)) found.push(member);
  return found;
}

/** The first member for which it holds; those after it are not asked. */
export async function findAsync<T>(
  list: readonly T[],
  holds: (member: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const member of list) if (await holds(member)) return member;
  return undefined;
}
