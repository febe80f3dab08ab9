/**
 * The process that meets the fault: `victim.ts COMMAND…` is the command line of Tutti, from its sources and with nothing
 * around it. What it prints and how it ends is what a person would see.
 */
import { main } from '../../src/cli/main.ts';

await main(process.argv.slice(2));
