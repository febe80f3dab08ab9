import { runHost } from './host.ts';

// Small on purpose: one such process lives beside every agent that can be talked to.
await runHost(process.argv[2] ?? '');
process.exit(0);
