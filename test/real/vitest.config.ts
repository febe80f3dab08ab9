import { defineConfig } from 'vitest/config';

/** Tests with the agents' real programs, which are downloaded once into a cache: only when somebody asks for them. */
export default defineConfig({
  test: {
    include: ['test/real/*.real.ts'],
    globalSetup: './test/rig/pack-program.ts',
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
