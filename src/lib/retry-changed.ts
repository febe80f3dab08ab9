/** How often a change is decided again because another process was faster. Each time, that other one succeeded. */
const maxTries = 100;

/**
 * Reads, decides and writes until no other writer came between: `attempt` returns `changed` when what it decided from is out
 * of date. Writers that keep losing for this long are a bug, so giving up is an exception.
 */
export async function untilUnchanged<T>(attempt: () => Promise<T | 'changed'>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const result = await attempt();
    if (result !== 'changed') return result;
  }
  throw new Error(`a change was decided ${maxTries} times, and each time another one came first`);
}
