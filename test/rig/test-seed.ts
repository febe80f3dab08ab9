/**
 * Moves what a long sweep or simulation chooses, so that every commit tries other points: `npm run test:all` sets
 * `TEST_SEED` and prints it. 0 is the choice of `npm test`.
 */
export const testSeed = Number(process.env['TEST_SEED'] ?? 0);
