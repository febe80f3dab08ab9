import { argv, env } from 'node:process';
import { runInRelay } from '../../runtime/command-relay/run-in-relay.ts';
import { putAsideNew } from './put-aside.ts';

// Small on purpose: one such process lives beside every sandboxed agent.
await runInRelay(argv[2] ?? '', argv.slice(3), env, putAsideNew);
