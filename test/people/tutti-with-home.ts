import { processCaller } from '../../src/app/people/process-caller.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { processContext } from '../../src/cli/main.ts';

/*
 * The program with its rule, for a user whose home is HOME: the published one asks the system for the home, where a test has
 * nothing to write.
 */
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...processContext(process),
  caller: { ...processCaller(process.env), user: { name: 'ada', home: process.env['HOME'] ?? null } },
});
