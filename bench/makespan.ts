import type { Bench } from './bench.ts';
export const makespanBench: Bench = { name: 'makespan', about: '', run: async () => [] };
