/**
 * How long tests wait for what is sure to come. It ends a hang and measures nothing: a loaded machine may take this long.
 * Shorter than the limit of a test in `vitest.config.ts`, so that the message names what did not happen.
 */
export const hangLimitMs = 240_000;
