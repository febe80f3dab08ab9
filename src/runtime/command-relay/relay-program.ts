import { argv, env } from 'node:process';
import { runInRelay } from './run-in-relay.ts';

// Small on purpose: one such process lives beside every sandboxed agent.
await runInRelay(argv[2] ?? '', argv.slice(3), env);
