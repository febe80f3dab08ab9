import { runSessionRelay } from './session-relay.ts';

// Small on purpose: one such process lives beside every agent that can be talked to.
await runSessionRelay(process.argv[2] ?? '');
process.exit(0);
