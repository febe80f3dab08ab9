import { runCommandLine } from '../../src/cli/command-line.ts';
import { processContext } from '../../src/cli/main.ts';

/*
 * The program with the rule removed: it takes everyone for a person. The control of the forged people, and one of the ways
 * that an agent without a sandbox has.
 */
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...processContext(process),
  caller: { user: { name: 'anyone', home: null }, variable: () => [], programs: () => [], groups: () => [] },
});
